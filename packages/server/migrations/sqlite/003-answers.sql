-- Answers by Idempotency-Key: the same request again gets the first answer again.
create table andon_answers (
  owner text not null,
  route text not null,
  idempotency_key text not null,
  fingerprint text not null,
  answer text,
  at integer not null,
  primary key (owner, route, idempotency_key)
);
create index andon_answers_at on andon_answers (at);

with recursive halves(low, high) as (
  select cast(0 as bigint), cast(@end as bigint)
  union all
  select case when j.created_at < @time then j.pos + 1 else h.low end,
    case when j.created_at < @time then h.high else (h.low + h.high) / 2 end
  from halves h
  join andon_jobs j on j.pos = (select min(m.pos) from andon_jobs m where m.pos >= (h.low + h.high) / 2)
  where h.low < h.high
)
select max(low) as pos from halves;

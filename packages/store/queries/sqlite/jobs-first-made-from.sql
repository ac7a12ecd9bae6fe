with recursive halves(low, high) as (
  select cast(0 as bigint), cast(@end as bigint)
  union all
  select case when (select m.created_at from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) < @time then (select m.pos from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) + 1 else h.low end,
    case when (select m.created_at from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) < @time then h.high else (h.low + h.high) / 2 end
  from halves h
  where h.low < h.high and (select m.pos from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) is not null
)
select max(low) as pos from halves;

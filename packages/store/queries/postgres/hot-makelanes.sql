insert into andon_lanes (queue, lane_key)
select $1, k.lane_key from unnest($2::text[]) as k(lane_key) order by k.lane_key collate "C"
on conflict do nothing returning lane_key;

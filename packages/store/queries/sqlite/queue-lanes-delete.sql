delete from andon_lanes where queue = @queue and lane_key in (
  select lane_key from andon_lanes where queue = @queue limit @most);

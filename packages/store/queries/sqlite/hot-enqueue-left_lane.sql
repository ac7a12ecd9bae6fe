update andon_lanes set gone = gone + 1 where queue = ?1 and lane_key = ?2;

select lane_key from andon_lanes where queue = $1 and lane_key = any($2::text[]);

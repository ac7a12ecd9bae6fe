update andon_lanes set depth = depth - @gone where queue = @queue and lane_key = @key;

update andon_lanes set head_seq = @seq where queue = @queue and lane_key = @key;

select 1 as locked;

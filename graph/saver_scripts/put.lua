-- One checkpoint. ARGV from 4: blobs (see store_blobs), then member and record.
-- Returns the digests that must be sent too; then nothing was written.
local missing, at = store_blobs(4)
if #missing > 0 then return missing end
redis.call('ZADD', ORDER, 0, ARGV[at])
redis.call('HSET', CHECKPOINTS, ARGV[at], ARGV[at + 1])
touch()
return missing

/**
 * The bucket as one Redis script: the same steps as the SQL of bucket-store.ts. Times are microseconds, which a
 * Lua number holds exactly; they are written with %.0f, because tostring keeps 14 digits only.
 */
export const BUCKET_SCRIPT = `
local act, amount = ARGV[1], tonumber(ARGV[2])
local full_rate, ahead = tonumber(ARGV[3]), tonumber(ARGV[4])
local horizon, longest_pause, recovery = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local cut_every, slowest, keep_ms = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local stored = redis.call('HMGET', KEYS[1], 'free_at', 'rate', 'cut_at', 'paused_until')
local free_at = tonumber(stored[1]) or now + ahead
local rate = tonumber(stored[2]) or full_rate
local cut_at = math.min(tonumber(stored[3]) or now - cut_every, now)
local paused_until = math.min(tonumber(stored[4]) or 0, now + longest_pause)
local rate_now = math.min(full_rate,
  rate + full_rate / recovery * math.max(0, now - math.max(cut_at, paused_until)))

local tokens, usable_at = 0, now
if act == 'take' then
  local n = math.min(amount, math.max(1, math.floor(rate_now * ahead / 1000000)))
  local base = math.max(now, math.min(free_at,
    math.max(now, paused_until) + horizon + math.max(ahead, 1000000 / rate_now)))
  local ends = base + n * 1000000 / rate_now
  usable_at = math.max(now, math.min(ends - ahead, base))
  free_at = base
  if usable_at <= now + horizon then tokens, free_at = n, ends end
else
  local due = now >= math.max(paused_until, cut_at + cut_every)
  if amount > 0 then paused_until = math.max(paused_until, now + math.min(amount, longest_pause)) end
  free_at = math.max(free_at, math.max(now, paused_until) + ahead)
  if due then rate, cut_at = math.max(full_rate * slowest, rate_now / 2), now end
end

redis.call('HSET', KEYS[1], 'free_at', string.format('%.0f', free_at), 'rate', string.format('%.17g', rate),
  'cut_at', string.format('%.0f', cut_at), 'paused_until', string.format('%.0f', paused_until))
redis.call('PEXPIRE', KEYS[1], keep_ms)
return { tokens, string.format('%.0f', usable_at - now), string.format('%.17g', rate_now) }
`;

import type { CallUnderWay } from './call-under-way.js'

/** Gap that no one announced, seconds. */
const DEAD_AIR = 10
/** Share of long gaps from which on a call is too silent, and from which on it may be. */
const SILENT = 0.3
const MAYBE_SILENT = 0.2

/** What only the end of the call shows, and what the clock does. */
export function measureCall(call: CallUnderWay): void {
  if (call.told.enough) {
    call.seen.note('details_read_back', call.told.readBack ? 'present' : 'absent', call.readBackTurn)
  }
  if (call.setting.chat) return
  const { longestGap, longestGapTurn, longSilenceShare } = call.talk
  const announced = call.holdTurn !== undefined
  if (announced || longestGap < 8) call.seen.note('dead_air', 'absent')
  else call.seen.note('dead_air', longestGap >= DEAD_AIR ? 'present' : 'unclear', longestGapTurn)
  const silent = longSilenceShare >= SILENT ? 'present' : longSilenceShare >= MAYBE_SILENT ? 'unclear' : 'absent'
  call.seen.note('long_silence_share', silent)
}

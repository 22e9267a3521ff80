import { bringToEnd } from './bring-to-end.js'
import type { CallSetting } from './call-setting.js'
import { CallUnderWay } from './call-under-way.js'
import type { HeldCall } from './held-call.js'
import { hearReason } from './hear-reason.js'
import { measureCall } from './measure-call.js'
import { openCall } from './open-call.js'
import type { Random } from './random.js'
import { workOnIt } from './work-on-it.js'

/** Lets a call be held: what is said follows from what the agent does well, and the observations quote what is said. */
export function converse(setting: CallSetting, random: Random): HeldCall {
  const call = new CallUnderWay(setting, random)
  openCall(call)
  hearReason(call)
  workOnIt(call)
  const resolved = bringToEnd(call)
  measureCall(call)
  return { conversation: call.talk, observations: call.seen, resolved }
}

import type { CallSetting } from './call-setting.js'
import type { Conversation } from './conversation.js'
import type { HeldCall } from './held-call.js'
import { hundredthsJson, textJson } from './json-text.js'
import type { Random } from './random.js'

const LOCATIONS = ['Riverside', 'Old Mill', 'Harbor Street', 'Northgate', 'Maple Square', 'Station Road']
const LANGUAGES = ['en-US', 'en-US', 'en-US', 'en-US', 'en-US', 'en-US', 'en-US', 'en-GB', 'en-GB', 'en-CA']

/**
 * The call record of a call that was held, as one line of JSON without the closing brace: what a telephone system knows
 * of it before anyone listened.
 */
export function writeRecord(setting: CallSetting, { conversation }: HeldCall, random: Random): string {
  const { scenario, values, chat, outbound, at } = setting
  const place = random.between(0, LOCATIONS.length - 1)
  const direction = outbound ? 'outbound' : 'inbound'
  const channel = chat ? 'chat' : 'phone'
  const length = chat ? '' : `,"audio_length_seconds":${hundredthsJson(Math.round(conversation.duration * 100))}`
  return (
    `{"session_id":"${random.hex(16)}","agent_name":${textJson(setting.agent.name)}` +
    `,"created_dt":"${new Date(at).toISOString()}","title":${textJson(setting.reason.title)}` +
    `,"interaction_direction":"${direction}","channel":"${channel}","language_primary":"${random.pick(LANGUAGES)}"` +
    `,"customer_display_name":${textJson(values.customer)},"session_metadata":{"company_name":"${scenario.company}"` +
    `,"location":"${LOCATIONS[place]}","store_id":"S${101 + place}"${length},"queue":"${scenario.queue}"` +
    `,"wait_seconds":${random.between(3, 240)}},"transcript":${transcriptJson(conversation)}`
  )
}

function transcriptJson({ turns }: Conversation): string {
  const written = turns.map(({ turn, actor, text, times }) => {
    const said = `{"turn":${turn},"actor":"${actor}","text":${textJson(text)}`
    return times === undefined
      ? `${said}}`
      : `${said},"start_s":${hundredthsJson(times[0])},"end_s":${hundredthsJson(times[1])}}`
  })
  return `[${written.join(',')}]`
}

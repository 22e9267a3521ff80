import { eventNames } from '../../events/event-kinds.js'
import { textOption } from '../text-option.js'

/** Kinds of events, with commas between. */
export const eventsOption = {
  events: textOption(`Kinds of events, with commas between: ${eventNames.join(', ')}`),
} as const

/** The kinds as they are written; whether there are such is the schema's to say. */
export function eventList(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

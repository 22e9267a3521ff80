import { toolOperations } from '../operations/ask-questions.js'
import { Problem } from '../base/problem.js'
import type { Ask } from './connection.js'
import { type CallInZone, callText } from './questions/call-text.js'
import { operationCommand } from './operation-command.js'

/** Turns that are asked for at a time: as many as the question gives. */
const TURNS = 1_000

/** `earshot call`: people get the whole transcript, however many pages it takes. */
export const callCommand = operationCommand<typeof toolOperations.get_call_detail, CallInZone>({
  command: 'call <session_id>',
  describe: 'Show one call: its scores and why they are so, signals with their quotes, and the transcript',
  operation: toolOperations.get_call_detail,
  words: { session_id: 'Id of the call (session_id)' },
  forPeople: { transcript_turns: TURNS },
  gather: async (first, ask, askOther) => {
    const turns = [...(first.transcript ?? [])]
    for (let next = first.transcript_next; next !== undefined;) {
      // oxlint-disable-next-line no-await-in-loop -- a page tells where the next begins
      const page = await ask({ transcript_from: next })
      turns.push(...(page.transcript ?? []))
      next = page.transcript_next
    }
    const zone = await zoneOf(askOther)
    return { ...first, ...(first.transcript && { transcript: turns }), ...(zone !== undefined && { zone }) }
  },
  examples: [
    ['call 21397ccf7a9d037e', ''],
    ['call 21397ccf7a9d037e --no-include-transcript', 'the evaluation alone'],
  ],
  text: callText,
})

/** The project's time zone; undefined for a key that may not ask for it. */
async function zoneOf(ask: Ask): Promise<string | undefined> {
  try {
    return (await ask(toolOperations.get_project_context, {})).project.timezone
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') return undefined
    throw error
  }
}

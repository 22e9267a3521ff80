import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { fixtureTool, said } from './fixture-tool.js'

const field = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
const sample = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 })

const askName = field('What is your name?', 'name')
const askColor = field('What is your favourite colour?', 'color')

/** What the client answered to a request, as text; nothing while it has not. */
function answerTo({ mcpReq }: ServerContext, key: string): string | undefined {
  const answer = inputResponse(mcpReq.inputResponses, key)
  return answer.kind === 'missing' ? undefined : JSON.stringify(answer)
}

/** The requests that the client has not answered. */
function unanswered(context: ServerContext, requests: InputRequests): InputRequests {
  return Object.fromEntries(Object.entries(requests).filter(([key]) => answerTo(context, key) === undefined))
}

/** A tool that is done when the client has answered everything, and asks again for what is missing. */
function interview(name: string, requestsFor: (context: ServerContext) => InputRequests) {
  return fixtureTool(name, 'Asks the client before it answers', (_args, context) => {
    const requests = requestsFor(context)
    const missing = unanswered(context, requests)
    if (Object.keys(missing).length > 0) return inputRequired({ inputRequests: missing })
    return said(
      `Answered: ${Object.keys(requests)
        .map(key => answerTo(context, key))
        .join(', ')}`,
    )
  })
}

/** What the client of this very request says it can do. */
function capabilitiesOf({ mcpReq: { envelope = {} } }: ServerContext): ClientCapabilities {
  return (envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities })[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

interface Progress {
  readonly answers: readonly string[]
}

const states = createRequestStateCodec({ key: randomBytes(32) })

/** What an earlier round sealed. A state that is not ours, or not as we made it, is refused. */
async function progressOf(context: ServerContext): Promise<Progress> {
  const state = context.mcpReq.requestState<string>()
  if (state === undefined) return { answers: [] }
  try {
    return (await states.verify(state, context)) as Progress
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid requestState')
  }
}

/** A tool that asks one thing a round and keeps the answers in the state that the client carries. */
function rounds(name: string, requests: InputRequests) {
  const keys = Object.keys(requests)
  return fixtureTool(name, 'Asks the client, one thing a round', async (_args, context) => {
    const { answers } = await progressOf(context)
    const current = keys[answers.length]
    const answer = current === undefined ? undefined : answerTo(context, current)
    const known = answer === undefined ? answers : [...answers, answer]
    const next = keys[known.length]
    if (next === undefined) return said(`state-ok: ${known.join(', ')}`)
    const inputRequests = { [next]: requests[next]! }
    return inputRequired({ inputRequests, requestState: await states.mint({ answers: known }) })
  })
}

/** Tools of the revision without sessions: whatever they need from the client, they ask for in their result. */
export const statelessTools = [
  interview('test_input_required_result_elicitation', () => ({ user_name: askName })),
  interview('test_input_required_result_sampling', () => ({ capital: sample('What is the capital of France?') })),
  interview('test_input_required_result_list_roots', () => ({ client_roots: inputRequired.listRoots() })),
  fixtureTool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (_args, context) => {
    await progressOf(context)
    const requests = { user_name: askName, greeting: sample('Say hello'), client_roots: inputRequired.listRoots() }
    const missing = unanswered(context, requests)
    if (Object.keys(missing).length === 0) return said('Answered everything.')
    return inputRequired({ inputRequests: missing, requestState: await states.mint({ answers: [] }) })
  }),
  interview('test_input_required_result_capabilities', context => {
    const { elicitation, sampling } = capabilitiesOf(context)
    return {
      ...(elicitation === undefined ? {} : { user_name: askName }),
      ...(sampling === undefined ? {} : { greeting: sample('Say hello') }),
    }
  }),
  interview('test_streaming_elicitation', () => ({ user_name: askName })),
  rounds('test_input_required_result_request_state', { user_name: askName }),
  rounds('test_input_required_result_tampered_state', { user_name: askName }),
  rounds('test_input_required_result_multi_round', { step1: askName, step2: askColor }),
  fixtureTool('test_missing_capability', 'Needs a client that can sample', (_args, context) => {
    if (capabilitiesOf(context).sampling !== undefined) return said('The client can sample.')
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  }),
]

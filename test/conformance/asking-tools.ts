import { inputRequired, inputResponse, type ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { fixtureTool, said, texts } from './fixture-tool.js'

type Form = ElicitRequestFormParams['requestedSchema']

const ANSWER: Form = {
  type: 'object',
  properties: { response: { type: 'string', description: "User's response" } },
  required: ['response'],
}

const DEFAULTS: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}

const ENUMS: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
}

/** A tool that asks the user to fill in a form and says what came back. */
function form(name: string, requestedSchema: Form, inputSchema = texts()) {
  return fixtureTool(
    name,
    'Asks the user to fill in a form',
    (args, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'form')
      if (answer.kind === 'elicit') {
        return said(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
      }
      const message = typeof args['message'] === 'string' ? args['message'] : 'Please fill in the form'
      return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } })
    },
    inputSchema,
  )
}

/** Tools that ask the client back, in the revisions with sessions. */
export const askingTools = [
  form('test_elicitation', ANSWER, texts('message')),
  form('test_elicitation_sep1034_defaults', DEFAULTS),
  form('test_elicitation_sep1330_enums', ENUMS),
  fixtureTool(
    'test_sampling',
    'Asks the model of the client',
    (args, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'sample')
      if (answer.kind === 'sampling') return said(`LLM response: ${JSON.stringify(answer.result.content)}`)
      const text = String(args['prompt'])
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }]
      return inputRequired({ inputRequests: { sample: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
    },
    texts('prompt'),
  ),
]

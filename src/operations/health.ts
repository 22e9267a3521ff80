import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { healthAnswer } from './health-answer.js'
import { operation } from './operation.js'

/** Whether the process is alive: open to anyone, under any Host. */
export const getHealth = operation({
  method: 'GET',
  url: '/health',
  access: 'open',
  summary: 'Whether the process is alive',
  failures: [500],
  answer: healthAnswer,
  run: ({ health }) => health(),
})

/** Whether requests can be served: open to anyone, under any Host. */
export const getReadiness = operation({
  method: 'GET',
  url: '/ready',
  access: 'open',
  summary: 'Whether requests can be served',
  failures: [503],
  answer: z.strictObject({ status: z.literal('ready') }),
  run: async ({ ready }) => {
    const reason = await ready()
    if (reason === undefined) return { status: 'ready' as const }
    const { code, cause } = reason
    const why = cause === undefined ? code : `${code} (${cause})`
    throw new Problem('store_unavailable', `Not ready: ${why}`, { retryAfter: 5 })
  },
})

export const healthOperations = [getHealth, getReadiness] as const

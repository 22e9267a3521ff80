import { z } from 'zod'
import { scoringSchema } from '../evaluation/rubric/scoring.js'
import { question } from './question.js'

/** How calls of the project are scored; to AI clients it is a resource. */
export const getScoring = question({
  name: 'get_scoring',
  title: 'Get scoring',
  description:
    'How calls of this project get their score and predicted CSAT: weights of dimensions and signals, caps, and what is added for what.',
  rest: { url: '/api/v1/scoring', example: {} },
  input: z.strictObject({}),
  output: scoringSchema,
  answer: asker => asker.scoring(),
})

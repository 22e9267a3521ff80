import { explainMyScope } from './explain-scope.js'
import { getAgent } from './get-agent.js'
import { getGroups } from './get-groups.js'
import { getInteraction } from './get-interaction.js'
import { getReasons } from './get-reasons.js'
import { getScoreDistribution } from './get-score-distribution.js'
import { getScoring } from './get-scoring.js'
import { getVerdicts } from './get-verdicts.js'
import { listAgents } from './list-agents.js'
import { listInteractions } from './list-interactions.js'

/** Questions that REST serves and the tool server does not: programs page through lists and want records whole. */
export const restQuestions = {
  listInteractions,
  getInteraction,
  listAgents,
  getAgent,
  getScoreDistribution,
  getGroups,
  explainMyScope,
  getReasons,
  getScoring,
  getVerdicts,
} as const

import type { Case } from '../../../support/pipeline-cases.js'
import { setCases } from '../../../support/set-cases.js'

export const cases: readonly Case[] = setCases('$set')

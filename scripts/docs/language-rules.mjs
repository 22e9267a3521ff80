import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The rules of the pipeline language and its differences from MongoDB, which the tests run. */
export const languageRules = parse(readFileSync(new URL('../../test/pipeline/rules.yaml', import.meta.url), 'utf8'))

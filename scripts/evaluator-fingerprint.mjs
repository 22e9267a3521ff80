import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The module that says which evaluator this is: a hash of all code that has a part in an evaluation by rules, bundled and
 * minified, so that a comment or a line break changes nothing, and of the packages it uses, by their versions.
 */
export async function evaluatorFingerprint() {
  const bundle = await rolldown({
    cwd: root,
    input: 'src/evaluation/rules/rules-evaluator.ts',
    platform: 'node',
    tsconfig: 'tsconfig.build.json',
    // Packages by their version, which the lock file holds; the built-in modules of Node by none.
    external: /^[^./]/,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const { output } = await bundle.generate({ minify: true })
  const [{ code, imports }] = output
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const hash = createHash('sha256').update(code)
  for (const name of imports.toSorted()) hash.update(`\n${name} ${dependencies[name] ?? ''}`)
  return `// Made by "npm run docs" of the code that evaluates calls (scripts/evaluator-fingerprint.mjs).
/** Which evaluator this is: calls that another one evaluated are stale. */
export const EVALUATOR_FINGERPRINT = '${hash.digest('hex').slice(0, 12)}'
`
}

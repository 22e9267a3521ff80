import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, cleanEnvironment } from '../support/run-earshot.js'

/** Runs `earshot --version` as if this were another version of Node. */
function versionUnder(node: string) {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${node}' }); require(${JSON.stringify(bin)})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script, '--', bin, '--version'], {
    env: cleanEnvironment(),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

// Without it Node 18 ends with a syntax error somewhere in what was built.
test.each(['18.20.4', '20.18.9'])('Node %s is told what is needed', node => {
  const stderr = `Earshot needs Node 20.19 or newer; this is ${node}.\n`
  expect(versionUnder(node)).toEqual({ status: 1, stdout: '', stderr })
})

test.each(['20.19.0', '22.0.0'])('Node %s runs it', node => {
  expect(versionUnder(node)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

import { expect, test } from 'vitest'
import { versionAfter } from '../support/run-earshot.js'

/** Runs `earshot --version` as if this were another version of Node. */
const versionUnder = (node: string) =>
  versionAfter(`Object.defineProperty(process.versions, 'node', { value: '${node}' })`)

// Without it Node 18 ends with a syntax error somewhere in what was built.
test.each(['18.20.4', '20.18.9'])('Node %s is told what is needed', node => {
  const stderr = `Earshot needs Node 20.19 or newer; this is ${node}.\n`
  expect(versionUnder(node)).toEqual({ status: 1, stdout: '', stderr })
})

test.each(['20.19.0', '22.0.0'])('Node %s runs it', node => {
  expect(versionUnder(node)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

import { expect, test } from 'vitest'
import { ALLOWED_BANDED, LIFT_CELLS, liftCell } from '../../bench/statistics/lift.js'
import { sized } from '../support/whole.js'

// A part of `npm run bench:statistics`: what lift says of signals in simulated projects in which agents have skill that no
// signal shows.

const MOST_CALLS = sized(100, 300)
const cells = LIFT_CELLS.filter(({ cell }) => cell.world.calls <= MOST_CALLS && cell.world.agents === 12)

test.each(cells.filter(({ kind }) => kind === 'nothing'))(
  'signals that do nothing: hardly a call has a band, of $cell.world.calls and $cell.world.signals signals',
  ({ cell }) => {
    const { banded, credit, agentHeld } = liftCell({ ...cell, worlds: 20 })
    expect(agentHeld).toBeGreaterThan(90)
    expect(banded).toBeLessThan(ALLOWED_BANDED)
    expect(credit).toBeLessThan(0.06)
  },
)

test.each(cells.filter(({ kind }) => kind === 'three'))(
  'signals that do something: intervals hold it, of $cell.world.calls calls and $cell.world.signals signals',
  ({ cell }) => {
    const { held, wrong, found, averageHeld, spreadHeld, agentHeld } = liftCell({ ...cell, worlds: 20 })
    // Of 240 agents, so that a hundredth or two is chance; by the calls' spread alone they hold less often.
    expect(averageHeld).toBeGreaterThan(92)
    expect(averageHeld).toBeGreaterThan(spreadHeld)
    expect(agentHeld).toBeGreaterThan(90)
    expect(held).toBeGreaterThan(86)
    expect(wrong).toBeLessThan(1)
    expect(found).toBeGreaterThan(cell.world.calls === 300 ? 0.5 : 0.1)
  },
)

import { exactName } from './arguments.js'

const what = 'Calls with this reading, written key=value, such as intent_clarity=high'
/** A categorical reading as get_project_summary and detect_changes name it. */
export const dimensionValue = exactName(what)
  .refine(text => text.includes('='), 'must be written key=value, such as intent_clarity=high')
  .meta({ description: what })

/** The filter for the calls with a reading. A key or a value may hold "=" itself, so every way to cut is tried. */
export function dimensionCondition(dimension: string): object {
  const cuts = [...dimension.matchAll(/=/g)].map(({ index }) => index)
  return {
    $or: cuts.map(at => ({
      dimensions: { $elemMatch: { key: { $eq: dimension.slice(0, at) }, value: { $eq: dimension.slice(at + 1) } } },
    })),
  }
}

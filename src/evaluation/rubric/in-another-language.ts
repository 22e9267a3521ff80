import { isObject } from '../../base/is-object.js'

type Fields = Readonly<Record<string, unknown>>

/** What is left of a rule in another language: itself, or that it always or never holds there. */
type Left = Fields | boolean

/** The name of a list, and nothing else. */
const LISTED = /^\$[a-z][a-z0-9_]*$/u

/**
 * What a rubric in another language takes over of one: all that is no word. A signal, a cap, a part of CSAT, a guide and whatever else
 * asks for words that the other one has no list for, or for a reason it has no line for, is left out: it would never be found.
 * @param own what the other one says
 */
export function inAnotherLanguage(inherited: Fields, own: Fields): Fields {
  return new Translation(inherited, own).whole()
}

class Translation {
  readonly #inherited: Fields
  readonly #lists: ReadonlySet<string>
  readonly #drivers: ReadonlySet<unknown>
  readonly #hasCourse: boolean
  /** Keys of the signals that can be heard. */
  #signals: ReadonlySet<unknown>

  constructor(inherited: Fields, own: Fields) {
    this.#inherited = inherited
    this.#lists = new Set(Object.keys(isObject(own['lists']) ? own['lists'] : {}).map(name => `$${name}`))
    this.#drivers = new Set(tableOf(own).map(({ driver }) => driver))
    this.#signals = new Set([...entriesOf(inherited['signals']), ...entriesOf(own['signals'])].map(({ key }) => key))
    this.#hasCourse = isObject(inherited['course']) && this.#course(inherited['course']) !== undefined
  }

  whole(): Fields {
    const {
      lists: _lists,
      drivers,
      course,
      signals,
      caps,
      csat,
      unscored,
      readings,
      guidance,
      ...others
    } = this.#inherited
    const heard = this.#heardSignals(entriesOf(signals))
    const words = Object.fromEntries(
      ['holds', 'backchannels', 'intensifiers'].map(name => [name, this.#wording(others[name])]),
    )
    return withoutUndefined({
      ...others,
      ...words,
      lists: {},
      drivers: isObject(drivers)
        ? { ...drivers, table: tableOf(this.#inherited).flatMap(line => this.#line(line)) }
        : undefined,
      course: isObject(course) ? this.#course(course) : undefined,
      signals: heard,
      caps: this.#ruled(caps),
      csat: isObject(csat) ? { ...csat, parts: this.#ruled(csat['parts']) } : undefined,
      unscored: this.#ruled(unscored),
      readings: entriesOf(readings).map(one => ({
        ...one,
        values: entriesOf(one['values']).flatMap(value =>
          value['when'] === undefined ? [value] : this.#ruled([value]),
        ),
      })),
      guidance: this.#ruled(guidance),
    })
  }

  /** A line of the table whose words are said in the other language, without those of this one. */
  #line({ driver, description }: Fields): readonly Fields[] {
    return this.#drivers.has(driver) ? [withoutUndefined({ driver, description })] : []
  }

  #course(course: Fields): Fields | undefined {
    const steps = ['claimed', 'refused', 'accepted', 'contested'].map(name => [name, this.#rule(course[name])] as const)
    const stock = this.#wording(course['stock'])
    if (stock === undefined || !steps.every(([, rule]) => isObject(rule))) return undefined
    return { ...Object.fromEntries(steps), stock }
  }

  /** Signals ask about signals: those that can't be heard are left out until all that is left can be. */
  #heardSignals(all: readonly Fields[]): readonly Fields[] {
    for (;;) {
      const heard = all.flatMap(signal => this.#signal(signal))
      const keys = new Set(heard.map(({ key }) => key))
      const lost = all.filter(({ key }) => this.#signals.has(key) && !keys.has(key))
      if (lost.length === 0) return heard
      this.#signals = new Set([...this.#signals].filter(key => !lost.some(one => one['key'] === key)))
    }
  }

  #signal({ confidence: _measured, applies, present, unclear, absent, worth, ...others }: Fields): readonly Fields[] {
    if (!this.#signals.has(others['key'])) return []
    const [where, when, doubt, not] = [applies, present, unclear, absent].map(rule =>
      rule === undefined ? undefined : this.#rule(rule),
    )
    // What is absent only where something is heard would be unclear for ever.
    if (where === false || !isObject(when) || not === false) return []
    const told = Object.entries({ applies: where, unclear: doubt, absent: not }).filter(([, rule]) => isObject(rule))
    return [{ ...others, ...Object.fromEntries(told), present: when, worth: this.#ruled(worth) }]
  }

  /** Entries with a rule, `when`, that may hold. */
  #ruled(entries: unknown): readonly Fields[] {
    return entriesOf(entries).flatMap(entry => {
      const when = this.#rule(entry['when'])
      return isObject(when) ? [{ ...entry, when }] : []
    })
  }

  #rule(rule: unknown): Left {
    if (!isObject(rule)) return false
    const { say, gap, driver, signal, course, repeats, gave, all, any, not } = rule
    if (isObject(say)) return this.#say(say)
    if (isObject(gap)) {
      const unless = isObject(gap['unless']) ? this.#wording(gap['unless']['any']) : undefined
      const { unless: announced, ...length } = gap
      return { gap: unless === undefined ? length : { ...length, unless: { ...(announced as Fields), any: unless } } }
    }
    if (isObject(driver)) {
      if (!Array.isArray(driver['is'])) return rule
      const left = driver['is'].filter(one => this.#drivers.has(one))
      return left.length > 0 && { driver: { ...driver, is: left } }
    }
    if (isObject(signal)) return this.#signals.has(signal['key']) && rule
    if (isObject(course)) return this.#hasCourse && rule
    if (isObject(repeats)) return { repeats: { ...repeats, words: this.#wording(repeats['words']) ?? [] } }
    if (isObject(gave)) return { gave: { ...gave, words: this.#wording(gave['words']) ?? [] } }
    if (Array.isArray(all))
      return joined(
        'all',
        all.map(one => this.#rule(one)),
        false,
      )
    if (Array.isArray(any))
      return joined(
        'any',
        any.map(one => this.#rule(one)),
        true,
      )
    if (not === undefined) return rule
    const left = this.#rule(not)
    return isObject(left) ? { not: left } : !left
  }

  #say(say: Fields): Left {
    const { any, not, after, ...others } = say
    const said = this.#wording(any)
    if (any !== undefined && said === undefined) return false
    const rule = isObject(after) ? this.#rule(after['rule']) : undefined
    if (rule !== undefined && !isObject(rule)) return false
    return {
      say: withoutUndefined({
        ...others,
        any: said,
        not: this.#wording(not),
        after: rule === undefined ? undefined : { ...(after as Fields), rule },
      }),
    }
  }

  /** Lists of a wording that the other language has too; undefined where it has none. */
  #wording(wording: unknown): readonly unknown[] | undefined {
    if (!Array.isArray(wording)) return undefined
    const left = wording.filter(one => typeof one === 'string' && LISTED.test(one) && this.#lists.has(one))
    return left.length === 0 ? undefined : left
  }
}

/** @param settles what one of them is for the whole to be it */
function joined(name: 'all' | 'any', rules: readonly Left[], settles: boolean): Left {
  const left = rules.filter(rule => isObject(rule))
  if (rules.includes(settles) || left.length === 0) return rules.includes(settles) ? settles : !settles
  return { [name]: left }
}

function tableOf({ drivers }: Fields): readonly Fields[] {
  return isObject(drivers) ? entriesOf(drivers['table']) : []
}

function entriesOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(one => isObject(one)) : []
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

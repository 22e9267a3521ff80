import { lambdaName } from './lambda.js'
import { type Fragment, bind, sql } from './sql.js'

/**
 * Objects within JSON made anew: their fields taken apart and written together again, in their order. The engine's own
 * merging drops fields whose new value is null.
 */

/** The fields of a JSON object as the texts that JSON writes them in; those of NULL are none. */
function fieldTexts(object: Fragment, kept?: (name: Fragment) => Fragment): Fragment {
  const [pair, one] = [lambdaName(), lambdaName()]
  const all = sql`list_zip(json_keys(${object})::varchar[], json_extract(${object}, '$.*')::json[])`
  const some = kept === undefined ? all : sql`list_filter(${all}, lambda ${pair}: ${kept(sql`${pair}[1]`)})`
  return sql`list_transform(${some}, lambda ${one}: to_json(${one}[1])::varchar || ':' || ${one}[2]::varchar)`
}

const together = (texts: Fragment): Fragment => sql`('{' || array_to_string(${texts}, ',') || '}')::json`

/** The object with only the fields that are named, or without them; NULL of NULL. */
export function narrowedObject(object: Fragment, names: readonly string[], mode: 'include' | 'exclude'): Fragment {
  const among = (name: Fragment) => sql`list_contains(${bind(names, 'VARCHAR[]')}, ${name})`
  const texts = fieldTexts(object, mode === 'include' ? among : name => sql`not ${among(name)}`)
  return sql`(case when ${object} is not null then ${together(texts)} end)`
}

/** The object with a field set to a JSON value that is there: in its place, or as the last. Of NULL, that field alone. */
export function withField(object: Fragment, name: string, value: Fragment): Fragment {
  const key = bind(name, 'VARCHAR')
  const [pair, one] = [lambdaName(), lambdaName()]
  const pairs = sql`list_zip(json_keys(${object})::varchar[], json_extract(${object}, '$.*')::json[])`
  const set = sql`(case when ${one}[1] = ${key} then ${value} else ${one}[2] end)::varchar`
  const texts = sql`list_transform(${pairs}, lambda ${one}: to_json(${one}[1])::varchar || ':' || ${set})`
  const added = sql`(to_json(${key})::varchar || ':' || (${value})::varchar)`
  const isThere = sql`len(list_filter(${pairs}, lambda ${pair}: ${pair}[1] = ${key})) > 0`
  return sql`(case when ${object} is null then ${together(sql`[${added}]`)} when ${isThere} then ${together(texts)} else ${together(sql`list_append(${texts}, ${added})`)} end)`
}

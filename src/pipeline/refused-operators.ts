const RUNS_CODE = 'it runs code; use the operators of expressions, in a filter within $expr'
const WRITES = 'pipelines only read'
const LEAVES = 'it reads outside the calls asked about; a call is one document, with all there is of it'
const SERVER = 'it looks at the server, not at calls'
const NO_PLACES = 'calls have no coordinates'
const FIRST = 'it needs an index that does not exist here; use $regex in a $match'

/** What MongoDB knows and we refuse, with the reason a caller is told. Everything else unknown is refused as unknown. */
export const refusedOperators: ReadonlyMap<string, string> = new Map([
  ['$out', WRITES],
  ['$merge', WRITES],
  [
    '$lookup',
    'it reads outside the calls asked about; for other calls of the same customer or agent, $group by that field with $push, or $setWindowFields with partitionBy',
  ],
  ['$graphLookup', LEAVES],
  [
    '$unionWith',
    'it reads outside the calls asked about; several questions of the same calls are pipelines of a $facet',
  ],
  ['$documents', LEAVES],
  ['$changeStream', LEAVES],
  ['$changeStreamSplitLargeEvent', LEAVES],
  ...['$geoNear', '$geoWithin', '$geoIntersects', '$near', '$nearSphere'].map(name => [name, NO_PLACES] as const),
  ['$search', FIRST],
  ['$searchMeta', FIRST],
  ['$vectorSearch', FIRST],
  ['$rankFusion', FIRST],
  ['$scoreFusion', FIRST],
  ['$text', FIRST],
  ['$collStats', SERVER],
  ['$indexStats', SERVER],
  ['$planCacheStats', SERVER],
  ['$currentOp', SERVER],
  ['$listSessions', SERVER],
  ['$listLocalSessions', SERVER],
  ['$listSampledQueries', SERVER],
  ['$listSearchIndexes', SERVER],
  ['$querySettings', SERVER],
  ['$queryStats', SERVER],
  ['$shardedDataDistribution', SERVER],
  ['$where', RUNS_CODE],
  ['$function', RUNS_CODE],
  ['$accumulator', RUNS_CODE],
  ['$jsonSchema', 'the shape of a call is known; use $type and $exists'],
  ['$sampleRate', 'use the stage $sample, which takes a number of calls'],
  ['$meta', 'there is no metadata beside the calls'],
  ...['$toObjectId', '$createObjectId'].map(name => [name, 'calls hold no ObjectIds'] as const),
  ...['$tsSecond', '$tsIncrement'].map(name => [name, 'calls hold dates, no timestamps; use $toLong'] as const),
  ['$toUUID', 'identifiers are texts'],
  ['$toHashedIndexKey', SERVER],
  ['$bsonSize', 'documents are not stored as BSON; the length of a text is $strLenBytes'],
  ['$binarySize', 'calls hold no binary data; the length of a text is $strLenBytes'],
  ['$$USER_ROLES', SERVER],
  ['$$CLUSTER_TIME', SERVER],
  ['$$JS_SCOPE', RUNS_CODE],
  ['$$IS_MR', RUNS_CODE],
  ['$$SEARCH_META', FIRST],
])

/** Where the language differs from MongoDB 8, as docs/pipeline.md lists it: a sentence or two each. */
export const differences: readonly string[] = [
  'The order of documents, of groups and of the values of `$addToSet` is defined here and the same every time (rules "order of calls", "documents of equal keys", "groups in order"); MongoDB leaves it open.',
  'Bounds of a `range` are added to values as doubles; MongoDB adds them as decimals: a value that lies on a bound with a fraction may be in the window of one and not of the other.',
  '`$percentile` and `$median` are exact; MongoDB approximates over many documents.',
  'There are no decimals, ObjectIds, binary values and timestamps in calls: `$toDecimal` gives a double, `$toObjectId` is refused.',
  'Patterns are those of RE2: no look-around and no back-references.',
  '`$dateFromString` and `$convert` without a format read ISO 8601 and the spellings listed at `$dateFromString`, with an offset, `UTC`, `GMT` or `Z`; MongoDB reads more, such as names of weekdays and of time zones.',
  'A constant time zone that is none is refused by `$dateToString` even where the date is null, as in MongoDB; one that is a field is not looked at there.',
  '`n` of `$topN` and its kin is at most 1,000,000; `$densify` adds at most 100,000 documents.',
  'Fields whose names are whole numbers come first in a document (rule "fields named by numbers").',
]

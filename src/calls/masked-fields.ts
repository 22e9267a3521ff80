/** The fields of a call record in which masking may change texts. */
export const maskedFieldNames = [
  'title',
  'interaction_driver',
  'customer_display_name',
  'session_metadata',
  'scores',
  'dimensions',
  'signals',
  'guidance',
  'coaching_summary',
  'trust',
  'conditions',
  'transcript',
] as const

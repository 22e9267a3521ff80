/** Conditions of a call that say more of why the customer called than `interaction_driver`: a further reason, by its name. */
export const REASON_FURTHER = 'reason.further'
/** And of a reason that has no name: what the customer said. */
export const REASON_UNNAMED = 'reason.unnamed'

/** What only somebody who works there says at the start of a call. */
const FOR_A_COMPANY =
  /\b(?:thank(?:s| you) for (?:calling|contacting|choosing|waiting|holding)|how (?:can|may|could) (?:i|we) (?:help|assist)|what can i (?:do for you|help you)|this is \w+ (?:from|with|at|speaking)|my name is \w+ (?:from|with|at|and i)|you're speaking (?:with|to)|you are speaking (?:with|to)|welcome to|(?:wie|womit) kann ich (?:ihnen )?(?:weiter)?helfen|vielen dank für ihren anruf|comment puis-je vous aider|en qué (?:le )?puedo (?:ayudar|servir)|gracias por llamar|come posso aiutar|posso ajud)/i
/** What anybody says at the start of a call. */
const GREETING =
  /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen|abend)|hallo|bonjour|hola|buen[oa]s|buongiorno|salve|ol[aá]|bom dia|goede(?:morgen|middag)|hej|cześć|dzień dobry)\b/i

/** How surely a text is an agent's greeting. */
export function greets(text: string): 'as agent' | 'as anybody' | undefined {
  if (FOR_A_COMPANY.test(text)) return 'as agent'
  return GREETING.test(text) ? 'as anybody' : undefined
}

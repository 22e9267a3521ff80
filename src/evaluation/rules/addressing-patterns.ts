// What is said to whoever evaluates instead of to the other side of the call, over text in Latin letters without marks (`asAddressed`), in any
// case. Patterns without nested repetition; the words between two parts are bounded. What people say to each other on the telephone
// ("ignore the instructions in the manual", "the signal is weak", "would you give us five stars") is none of them.

const SCORES = String.raw`(?:[1-5]\b|10\b|one\b|five\b|ten\b|perfect|maximum|highest|full\b|top (?:score|marks?|rating))`
const CALL = String.raw`(?<!\b(?:a|another|quick|missed|phone) )\b(?:call|conversation|interaction|agent)\b`

export const ENGLISH: readonly RegExp[] = [
  /\b(?:ignore|ignoring|disregard|disregarding|forget|override|bypass|discard|overlook|neglect|pay no attention to|(?:do not|don.?t|never|stop) follow(?:ing)?)\b.{0,20}\b(?:all|any|every|your|previous|prior|preceding|earlier|above|original|initial|foregoing|other)\b.{0,20}\b(?:instructions?|prompts?|rules|rubric|guidelines|directives?|directions|commands?|programming)\b/iu,
  /\b(?:ignore|disregard|forget) (?:everything|all|anything|whatever)(?: (?:that is|that was|written|stated|said|of the))? (?:above|before this (?:line|message|turn|point))\b/iu,
  /\b(?:instructions?|prompts?|rubric|guidelines|directives)\b.{0,20}\b(?:above|given to you|you (?:were|have been|got) given)\b.{0,20}\b(?:void|invalid|cancelled|canceled|superseded|no longer (?:apply|valid|count)|do(?:es)? not (?:apply|count))\b/iu,
  /\bnew (?:instructions?|task|rules|objective|directive)\b.{0,20}\b(?:evaluator|grader|ai|model|llm|assistant)\b|\bnew (?:instructions?|directive|system prompt)\s{0,3}:/iu,
  /\b(?:system|developer) (?:prompt|override|instructions?)\b|\bprompt injection\b/iu,
  /\b(?:reveal|print|show|output|repeat|leak|tell me)\b.{0,15}\b(?:your|the) (?:(?:system|hidden|initial|original|secret) )?(?:prompt|rubric)\b/iu,
  /\byou are (?:now )?(?:an?|the) (?:ai|a\.i\.|language model|llm|evaluator|grader)\b/iu,
  /\b(?:as|act as|acting as|pretend to be|pretend you are|behave like) (?:an?|the) (?:ai|a\.i\.|language model|llm|evaluator|grader|unrestricted)\b/iu,
  /\b(?:if|when|since|because) you(?: are|'re) (?:an? |the )?(?:ai|a\.i\.|language model|llm|model|machine|automated (?:system|evaluator|grader))\b/iu,
  /\b(?:whoever|whatever|anyone who|any (?:ai|model|system) that) (?:evaluates|scores|grades|rates|analy[sz]es|reads) this (?:call|conversation|transcript|text)\b/iu,
  /\b(?:note|message|instructions?|attention|dear|hello|hey)\b.{0,10}\b(?:ai|llm|language model|evaluator|grader)\b/iu,
  /\b(?:evaluator|grader|language model|llm|rubric)\b.{0,60}\b(?:score|rate|mark|set|give|output|answer|return)\b/iu,
  /\b(?:score|rate|mark|set|give|output|answer|return)\b.{0,60}\b(?:evaluator|grader|rubric|json|predicted_csat)\b/iu,
  /\b(?:mark|set|report|return)\b.{0,40}\b(?:signals?|everything)\b.{0,20}\b(?:present|absent|true|false)\b/iu,
  /\b(?:end|close|begin|beginning|start) of (?:the )?(?:transcript|call data)\b|\btranscript (?:ends|stops) here\b/iu,
]

export const GERMAN: readonly RegExp[] = [
  /\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missacht\w*|uebergeh\w*|ubergeh\w*|ueberschreib\w*|uberschreib\w*|verwirf|verwerfen sie|umgeh\w*)\b.{0,30}\b(?:alle[nrs]?|jede|deine|ihre|eure|vorherig\w*|vorig\w*|bisherig\w*|obig\w*|fruheren?|frueheren?|vorangegangen\w*|vorangehend\w*|ursprunglich\w*|urspruenglich\w*)\b.{0,30}\b(?:anweisung\w*|instruktion\w*|befehle?|vorgaben?|regeln|richtlinien|prompts?|anordnung\w*|systemprompt)\b/iu,
  /\b(?:alle|samtliche|saemtliche|deine|vorherig\w*|vorig\w*|bisherig\w*|obig\w*|fruheren?|frueheren?|vorangegangen\w*)\b.{0,20}\b(?:anweisungen|instruktionen|befehle|vorgaben|regeln|richtlinien|prompts?)\b.{0,20}\b(?:ignorieren|vergessen|missachten|verwerfen|uberschreiben|ueberschreiben|ungultig|ungueltig|aufgehoben|gelten nicht)\b/iu,
  /\b(?:neue|neuer) (?:anweisung(?:en)?|instruktion(?:en)?|systemprompt|aufgabe)\b.{0,20}(?::|\b(?:ki|sprachmodell|evaluator|bewerter|assistent)\b)/iu,
  /\b(?:system-?prompt|system-?anweisung(?:en)?|system-?instruktion(?:en)?)\b/iu,
  /\bdu bist (?:jetzt |nun |ab jetzt |ab sofort )?(?:eine?|der|die|das) (?:ki\b|kunstliche intelligenz|kuenstliche intelligenz|sprachmodell|evaluator|bewerter|gutachter fur|ki-?\w+)/iu,
  /\b(?:als|wie) (?:eine? |der |die |das )?(?:ki|sprachmodell|evaluator|bewerter)\b/iu,
  /\b(?:hinweis|nachricht|anweisung(?:en)?|notiz|mitteilung|achtung|liebe[rs]?|hallo)\b.{0,12}\b(?:ki|sprachmodell|evaluator|bewerter)\b/iu,
  /\b(?:wer|was) (?:auch immer )?(?:dieses gesprae?ch|diesen anruf|dieses transkript|das hier) (?:bewertet|auswertet|benotet|liest)\b/iu,
  /\b(?:markier\w*|setz\w*|melde\w*|werte)\b.{0,40}\b(?:signale?|alles)\b.{0,20}\b(?:vorhanden|anwesend|present|erfullt|erfuellt|wahr|true|false|absent)\b/iu,
  /\b(?:ende|beginn|anfang|schluss) (?:des|vom) (?:transkripts?|gesprae?chstranskripts?|mitschnitts)\b|\bende der gesprae?chsdaten\b/iu,
]

export const SPANISH: readonly RegExp[] = [
  /\b(?:ignor(?:a|e|en|ar|ad|es)|olvid(?:a|e|en|ar|ad|es|ate de|ese de)|descart(?:a|e|en|ar|es)|desestim(?:a|e|en|ar)|omit(?:e|a|an|ir)|anul(?:a|e|en|ar)|(?:haz|haga|hagan|hacer) caso omiso de|no sigas|no siga|pasa por alto)\b.{0,30}\b(?:instruccion(?:es)?|reglas|indicaciones|ordenes|directrices|directivas|prompts?|pautas)\b.{0,5}\b(?:anterior(?:es)?|previ[ao]s?|de arriba|que te (?:han dado|dieron)|recibidas|originales|del sistema)\b/iu,
  /\b(?:ignor(?:a|e|en|ar|ad|es)|olvid(?:a|e|en|ar|ad|es)|descart(?:a|e|en|ar|es)|desestim(?:a|e|en|ar)|omit(?:e|a|an|ir)|(?:haz|haga|hagan|hacer) caso omiso de|no sigas)\b.{0,20}\b(?:todas|cualquier|tus|previas|anteriores)\b.{0,20}\b(?:instruccion(?:es)?|reglas|indicaciones|ordenes|directrices|prompts?|pautas)\b/iu,
  /\bnuev(?:as instrucciones|a instruccion|a tarea|o prompt)\b.{0,20}(?::|\b(?:ia|modelo de lenguaje|evaluador\w*)\b)/iu,
  /\b(?:prompt|instrucciones) (?:de|del) sistema\b/iu,
  /\b(?:ahora )?(?:eres|actua como|comportate como|finge ser|haz de cuenta que eres) (?:ahora )?(?:una?|el|la) (?:ia\b|i\.a\.|inteligencia artificial|modelo de lenguaje|evaluador\w*)/iu,
  /\bcomo (?:una? |el |la )?(?:ia\b|modelo de lenguaje|evaluador\w*)/iu,
  /\b(?:nota|mensaje|instruccion(?:es)?|atencion|aviso|estimad[ao]|querid[ao]|hola)\b.{0,12}\b(?:ia|modelo de lenguaje|evaluador\w*)\b/iu,
  /\bquien (?:quiera que )?(?:evalue|evalua|califique|califica|lea|lee|analice|analiza) est[ae] (?:llamada|conversacion|transcripcion|texto)\b/iu,
  /\b(?:marc(?:a|e|ar)|pon(?:er|ga)?|report(?:a|e|ar)|devuelv(?:e|a))\b.{0,40}\b(?:senal(?:es)?|todo)\b.{0,20}\b(?:presentes?|ausentes?|verdader[ao]s?|true|false)\b/iu,
  /\b(?:fin|final|inicio|comienzo|principio) (?:de la|del) (?:transcripcion|transcript)\b|\bfin de los datos de la llamada\b/iu,
]

/** What a machine would write, in whatever language. */
export const WRITTEN: readonly RegExp[] = [
  /\bsig\.[a-z_]{3,}/u,
  /["']?(?:state|score|predicted_csat|turns_that_instruct)["']?\s{0,3}[:=]\s{0,3}["']?(?:present|absent|unclear|[1-5]\b)/iu,
  /<\/?\s{0,3}(?:transcript|system|user|assistant|data|instructions?|prompt)\b/iu,
  /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>/iu,
  /^\W{0,20}(?:system|assistant|developer)(?: message)?\s{0,3}[:>\]]/iu,
  /={5}|#{3}\s{0,3}(?:instruction|system|response)/iu,
]

/** Orders to give a call a score. Agents ask for good marks in surveys, too: that is said to the customer, by the words of `survey`. */
export const SCORE_ORDERS: readonly { readonly order: RegExp; readonly survey: RegExp }[] = [
  {
    order: new RegExp(
      String.raw`\b(?:give|rate|score|mark|grade|evaluate)\b.{0,30}${CALL}.{0,40}\b${SCORES}|\bscore of (?:[1-5]|one|five)\b|\b(?:this|the) (?:call|conversation|interaction|agent) (?:deserves|must (?:get|be (?:scored|rated|graded))|should (?:be (?:scored|rated|graded)))\b.{0,30}\b${SCORES}`,
      'iu',
    ),
    survey: /\b(?:survey|feedback|review|questionnaire|stars?|text message|email)\b/iu,
  },
  {
    order:
      /\b(?:bewerte|bewerten sie|benote|benoten sie|gib|geben sie|vergib|vergeben sie)\b.{0,30}\b(?:dies(?:e[mnrs]?)?|dem|das|den|der) (?:gesprae?ch|anruf|telefonat|interaktion|agent(?:en|in)?|mitarbeiter(?:in|s)?)\b.{0,50}(?:\b[1-5]\b|\b10\b|\bfunf\b|\bfuenf\b|\bperfekt|\bhochst|\bhoechst|\bvolle[nr]? (?:punkt|wertung)|\bbestnote|\bmaximal)/iu,
    survey:
      /\b(?:umfrage|befragung|ruckmeldung|rueckmeldung|feedback|sterne|sms|e-?mail|anschluss|danach|gleich|kurz|von 1 bis|von eins bis)\b/iu,
  },
  {
    order:
      /\b(?:calific(?:a|ar)|califique|evalua|evalue|puntua|puntue|valora|valore|da|dale|dele|pon|ponle|asigna|asignale)\b.{0,30}\b(?:llamada|conversacion|interaccion|agente)\b.{0,50}(?:\b[1-5]\b|\b10\b|\bcinco\b|\bdiez\b|\bperfect|\bmaxim|\bpuntuacion (?:alta|completa)|\bsobresaliente)/iu,
    survey:
      /\b(?:encuesta|opinion|resena|estrellas|mensaje|sms|correo|del (?:1|uno) al|a continuacion|al (?:final|terminar|colgar))\b/iu,
  },
]

/** Words of which one is said in whatever the patterns find, unless it is written with signs: what is read for nothing else. */
export const ADDRESSING: readonly string[] = [
  '(instruction|instructions|prompt|prompts|rules|rubric|guidelines|system|developer|assistant|evaluator|grader|llm|ai|json|csat)',
  '(language model|a i|signal|signals|everything|state|score|transcript|call data|predicted_csat|turns_that_instruct)',
  '(rate|mark|grade|evaluate|conversation|interaction|directive|directives|directions|command|commands|programming|objective)',
  '(automated|machine|model|unrestricted|scores|grades|rates|evaluates|analyzes|analyses|deserves|injection)',
  '(ignore|disregard|forget) (everything|all|anything|whatever)',
  '(call|conversation|interaction|agent) (must|should)',
  'give [*] [*] [*] (call|agent)',
  '(anweisung|anweisungen|instruktion|instruktionen|befehl|befehle|vorgabe|vorgaben|regeln|richtlinien|anordnung|anordnungen)',
  '(systemprompt|systemanweisung|systemanweisungen|systeminstruktion|systeminstruktionen|ki|sprachmodell|kuenstliche intelligenz|künstliche intelligenz)',
  '(bewerter|signale|transkript|transkripts|mitschnitts|aufgabe|bewertet|auswertet|benotet|bewerte|bewerten|benote|benoten|vergib|vergeben)',
  '(gib|geben sie) [*] [*] [*] (gespraech|gespräch|anruf|telefonat|agent|agenten|agentin|mitarbeiter|mitarbeiterin)',
  '(werte|setze|melde|markiere|markieren) [*] [*] alles',
  '(gespraechsdaten|gesprächsdaten|gespraechstranskript|gespraechstranskripts|gesprächstranskripts)',
  '(instruccion|instrucción|instrucciones|reglas|indicaciones|ordenes|órdenes|directrices|directivas|pautas|ia|i a|inteligencia artificial)',
  '(modelo de lenguaje|evaluador|evaluadora|evaluadores|senal|señal|senales|señales|transcripcion|transcripción|tarea)',
  '(califica|calificar|califique|evalua|evalúa|evalue|evalúe|puntua|puntúa|puntue|puntúe|valora|valore|analice|analiza)',
  '(da|dale|dele|pon|ponle|asigna|asignale) [*] [*] [*] (llamada|conversacion|conversación|interaccion|interacción|agente)',
  '(marca|marque|marcar|reporta|devuelve) [*] [*] todo',
  'datos de la llamada',
  'sig',
]

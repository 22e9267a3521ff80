import { addFieldsStage } from './add-fields.js'

export const set = addFieldsStage('$set')

import { importRules } from '#scripts/boundaries/import-rules.ts'

// Separate from the rules in .oxlintrc.json, which editors read, because these are generated from lists.
export default importRules(import.meta.dirname)

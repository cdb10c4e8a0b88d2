import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type IdentifierName,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSSignature,
  type TSType,
  type TSTypeAliasDeclaration,
  type TSTypeName,
  type TSTypeReference,
} from 'oxc-parser'

export type Declared = TSInterfaceDeclaration | TSTypeAliasDeclaration
/** Where a type is declared: its file and the enclosing namespaces. */
type Place = { file: string; path: readonly string[] }
type Found = { declared: Declared; file: string; name: string; path: readonly string[] }

type Known = {
  names: Map<string, Declared>
  imports: Map<string, { file: string; name: string }>
}

function nameOf(id: { type: string }): string {
  return 'name' in id && typeof id.name === 'string' ? id.name : ''
}

/** A type's name as `A.B.C`. */
function dotted(name: TSTypeName | IdentifierName): string {
  if (name.type === 'TSQualifiedName') return `${dotted(name.left)}.${name.right.name}`
  return nameOf(name)
}

/** The types that `.d.ts` files declare, found by name as the compiler would find them. */
class DeclaredNames {
  readonly #files = new Map<string, Known>()

  /** Null when the file neither declares nor imports the name. */
  find(name: string, { file, path }: Place): Found | null {
    const known = this.#read(file)
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const full = [...path.slice(0, depth), name].join('.')
      const declared = known.names.get(full)
      if (declared !== undefined) {
        return { declared, file, name: full, path: full.split('.').slice(0, -1) }
      }
    }
    const [head = '', ...rest] = name.split('.')
    const from = known.imports.get(head)
    return from === undefined
      ? null
      : this.find([from.name, ...rest].join('.'), { file: from.file, path: [] })
  }

  #read(file: string): Known {
    const before = this.#files.get(file)
    if (before !== undefined) return before
    const known: Known = { names: new Map(), imports: new Map() }
    this.#files.set(file, known)
    const { program } = parseSync(file, readFileSync(file, 'utf8'))
    for (const statement of program.body) note(statement, { file, path: [] }, known)
    return known
  }
}

function note(statement: Statement, place: Place, known: Known): void {
  const { path } = place
  const { type } = statement
  if (type === 'ImportDeclaration') noteImports(statement, place, known)
  if (type === 'ExportNamedDeclaration' && statement.declaration !== null) {
    note(statement.declaration, place, known)
  }
  if (type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration') {
    known.names.set([...path, statement.id.name].join('.'), statement)
  }
  if (type !== 'TSModuleDeclaration') return
  const inner = { ...place, path: [...path, nameOf(statement.id)] }
  const { body } = statement
  if (body === null || !('body' in body) || !Array.isArray(body.body)) return
  for (const one of body.body) note(one, inner, known)
}

function noteImports(
  statement: Extract<Statement, { type: 'ImportDeclaration' }>,
  { file }: Place,
  known: Known,
): void {
  const source = statement.source.value
  if (!source.startsWith('.')) return
  const target = join(dirname(file), source.replace(/\.js$/, '.d.ts'))
  for (const one of statement.specifiers) {
    if (one.type !== 'ImportSpecifier') continue
    known.imports.set(one.local.name, { file: target, name: nameOf(one.imported) })
  }
}

/** The aliased type, or an interface's members as a type literal. */
function bodyOf(declared: Declared): TSType {
  if (declared.type === 'TSTypeAliasDeclaration') return declared.typeAnnotation
  const { body, start, end } = declared
  return { type: 'TSTypeLiteral', members: body.body, start, end }
}

/** A JSON Schema; `true` allows anything. */
export type Schema = { [word: string]: unknown } | true

type Fields = { properties: Record<string, Schema>; required: string[]; more: Schema | false }

type Options = {
  /** `form`: numbers and booleans are text, as in a form body. */
  wire: 'json' | 'form'
  /** Whether a type of another file is expanded in full or reduced to an object with an id. */
  isWhole: (found: Found, from: Place) => boolean
}

const NEVER: Schema = { not: {} }

const JSON_KEYWORDS: Readonly<Record<string, Schema>> = {
  TSStringKeyword: { type: 'string' },
  TSTemplateLiteralType: { type: 'string' },
  TSNumberKeyword: { type: 'integer' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
  TSUndefinedKeyword: NEVER,
  TSVoidKeyword: NEVER,
  TSNeverKeyword: NEVER,
}
const FORM_KEYWORDS: Readonly<Record<string, Schema>> = {
  ...JSON_KEYWORDS,
  TSNumberKeyword: { type: 'string', pattern: '^-?\\d+$' },
  TSBooleanKeyword: { enum: ['true', 'false'] },
  TSNullKeyword: { const: '' },
}

/**
 * JSON Schemas generated from a package's type declarations. Undeclared properties are refused, and open
 * unions (`| OtherString`) are closed.
 */
export class DeclaredSchemas {
  readonly #names = new DeclaredNames()
  readonly #options: Options
  readonly #definitions: Record<string, Schema> = {}

  constructor(options: Options) {
    this.#options = options
  }

  /** The schema of a type in a file, with everything it refers to. */
  of(file: string, name: string): { [word: string]: unknown } {
    const found = this.#names.find(name, { file, path: [] })
    if (found === null) throw new Error(`${name} is not declared in ${file}.`)
    return { ...this.#refer(found), definitions: this.#definitions }
  }

  #refer(found: Found): { $ref: string } {
    const key = `${found.file.split('/').slice(-2).join('_')}_${found.name}`.replaceAll(/\W/g, '_')
    if (this.#definitions[key] === undefined) {
      // Registered before it is built, because types may refer to themselves.
      this.#definitions[key] = true
      this.#definitions[key] = this.#drawFound(found)
    }
    return { $ref: `#/definitions/${key}` }
  }

  #drawFound(found: Found): Schema {
    const { declared, file, path } = found
    const inside = { file, path: [...path, declared.id.name] }
    if (declared.type === 'TSTypeAliasDeclaration') return this.#draw(bodyOf(declared), inside)
    return asObject(this.#fieldsOf(found))
  }

  /** The members of an interface together with those it extends. */
  #fieldsOf(found: Found): Fields {
    const { declared, file, path } = found
    const inside = { file, path: [...path, declared.id.name] }
    const own = this.#fieldsOfType(bodyOf(declared), inside)
    if (declared.type !== 'TSInterfaceDeclaration') return own
    const bases = declared.extends.map(({ expression }) => {
      const name = expression.type === 'Identifier' ? expression.name : ''
      const base = this.#names.find(name, inside)
      return base === null ? noFields() : this.#fieldsOf(base)
    })
    return [...bases, own].reduce(merged, noFields())
  }

  #fieldsOfType(type: TSType, place: Place): Fields {
    if (type.type === 'TSTypeLiteral') {
      return type.members.reduce((all, one) => this.#withMember(all, one, place), noFields())
    }
    if (type.type === 'TSIntersectionType') {
      return type.types.map((one) => this.#fieldsOfType(one, place)).reduce(merged, noFields())
    }
    if (type.type === 'TSParenthesizedType') return this.#fieldsOfType(type.typeAnnotation, place)
    if (type.type === 'TSIndexedAccessType') {
      const word = this.#component(type)
      const target = word === null ? null : this.#componentByName(word, place)
      return target === null ? noFields() : this.#fieldsOfType(target, place)
    }
    if (type.type === 'TSTypeReference') {
      const found = this.#names.find(dotted(type.typeName), place)
      return found === null ? noFields() : this.#fieldsOf(found)
    }
    return { ...noFields(), more: true }
  }

  #withMember(all: Fields, member: TSSignature, place: Place): Fields {
    if (member.type === 'TSIndexSignature') {
      return { ...all, more: this.#draw(member.typeAnnotation.typeAnnotation, place) }
    }
    if (member.type !== 'TSPropertySignature') return all
    const { key, optional, typeAnnotation } = member
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    const schema = typeAnnotation === null ? true : this.#draw(typeAnnotation.typeAnnotation, place)
    return {
      ...all,
      properties: { ...all.properties, [name]: schema },
      required: optional ? all.required : [...all.required, name],
    }
  }

  #draw(type: TSType, place: Place): Schema {
    const word = (this.#options.wire === 'form' ? FORM_KEYWORDS : JSON_KEYWORDS)[type.type]
    if (word !== undefined) return word
    if (type.type === 'TSLiteralType') {
      return 'value' in type.literal ? { const: type.literal.value } : true
    }
    if (type.type === 'TSArrayType') {
      return { type: 'array', items: this.#draw(type.elementType, place) }
    }
    if (type.type === 'TSParenthesizedType') return this.#draw(type.typeAnnotation, place)
    if (type.type === 'TSUnionType') {
      return { anyOf: type.types.filter(isClosed).map((one) => this.#draw(one, place)) }
    }
    if (type.type === 'TSTypeLiteral' || type.type === 'TSIntersectionType') {
      return asObject(this.#fieldsOfType(type, place))
    }
    if (type.type === 'TSIndexedAccessType') {
      const target = this.#component(type)
      return target === null ? true : this.#referComponent(target, place)
    }
    return type.type === 'TSTypeReference' ? this.#drawReference(type, place) : true
  }

  #drawReference(type: TSTypeReference, place: Place): Schema {
    const name = dotted(type.typeName)
    const [first] = type.typeArguments?.params ?? []
    const inner = first === undefined ? true : this.#draw(first, place)
    if (name === 'Array') return { type: 'array', items: inner }
    if (name === 'Emptyable') return { anyOf: [{ const: '' }, inner] }
    if (name === 'Record') return { type: 'object' }
    if (name === 'ApiList') {
      const properties = {
        object: { const: 'list' },
        data: { type: 'array', items: inner },
        has_more: { type: 'boolean' },
        url: { type: 'string' },
      }
      return {
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      }
    }
    const found = this.#names.find(name, place)
    if (found === null) return true
    if (this.#options.isWhole(found, place)) return this.#refer(found)
    return { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
  }

  /** The name in `components["schemas"]["name"]`. */
  #component(type: TSType): string | null {
    if (type.type !== 'TSIndexedAccessType' || type.indexType.type !== 'TSLiteralType') return null
    const { literal } = type.indexType
    return 'value' in literal && typeof literal.value === 'string' ? literal.value : null
  }

  #referComponent(word: string, place: Place): Schema {
    const key = `component_${word.replaceAll(/\W/g, '_')}`
    if (this.#definitions[key] === undefined) {
      this.#definitions[key] = true
      const target = this.#componentByName(word, place)
      this.#definitions[key] = target === null ? true : this.#draw(target, place)
    }
    return { $ref: `#/definitions/${key}` }
  }

  #componentByName(word: string, place: Place): TSType | null {
    const components = this.#names.find('components', { file: place.file, path: [] })
    if (components === null) return null
    return memberOf(memberOf(bodyOf(components.declared), 'schemas'), word)
  }

  /** The schema of `components["schemas"][word]` in a file generated from an OpenAPI document. */
  ofComponent(file: string, word: string): { [word: string]: unknown } {
    const schema = this.#referComponent(word, { file, path: [] })
    return { ...(schema === true ? {} : schema), definitions: this.#definitions }
  }
}

function noFields(): Fields {
  return { properties: {}, required: [], more: false }
}

function merged(one: Fields, other: Fields): Fields {
  return {
    properties: { ...one.properties, ...other.properties },
    required: [...one.required, ...other.required],
    more: other.more === false ? one.more : other.more,
  }
}

function asObject({ properties, required, more }: Fields): Schema {
  return {
    type: 'object',
    properties,
    required: [...new Set(required)],
    additionalProperties: more,
  }
}

/** `| OtherString` only means that more values may be added one day. */
function isClosed(type: TSType): boolean {
  return type.type !== 'TSTypeReference' || dotted(type.typeName) !== 'OtherString'
}

function memberOf(type: TSType | null, name: string): TSType | null {
  if (type?.type !== 'TSTypeLiteral') return null
  for (const one of type.members) {
    if (one.type !== 'TSPropertySignature') continue
    const { key } = one
    const own =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    if (own === name) return one.typeAnnotation?.typeAnnotation ?? null
  }
  return null
}

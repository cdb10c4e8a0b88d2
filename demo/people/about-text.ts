import type { Region } from '#contract/base/region.ts'
import { type Random, shuffled } from '#demo/random.ts'

/** British spellings in our texts, with their American forms. */
const AMERICAN_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bcolour/g, 'color'],
  [/\bcoeliac\b/g, 'celiac'],
  [/\bsquints\b/g, 'crossed eyes'],
  [/\btummy\b/g, 'stomach'],
  [/\bneighbour/g, 'neighbor'],
  [/\bpiles\b/g, 'hemorrhoids'],
  [/\bprogramme/g, 'program'],
  [/\bspecialis/g, 'specializ'],
  [/\borganis/g, 'organiz'],
  [/\bpractise\b/g, 'practice'],
  [/\bpractised\b/g, 'practiced'],
  [/\bcentre\b/g, 'center'],
  [/\bjudgement/g, 'judgment'],
  [/\ba lift\b/g, 'an elevator'],
  [/\bletter the same day\b/g, 'visit summary the same day'],
  [/\bcheck-up/g, 'checkup'],
  [/\bCheck-up/g, 'Checkup'],
]

/** A text of ours as the region spells it. */
export function localSpelling(text: string, region: Region): string {
  if (region === 'uk') return text
  return AMERICAN_SPELLINGS.reduce(
    (result, [british, american]) => result.replace(british, american),
    text,
  )
}

/** What a biography is written from. */
type Subject = {
  region: Region
  /** "Dr Okafor", as the text refers to them. */
  called: string
  gender: 'female' | 'male' | 'non_binary'
  /** "dermatologist", in lower case unless it is an abbreviation. */
  profession: string
  topics: readonly string[]
  locality: string
  years: number
  offersVideo: boolean
  isForChildren: boolean
}

/**
 * Sentences in the first person, and the same in the third. {t1} and {t2} are topics, {p} the
 * profession, {a} its article, {y} years in practice, {l} the town, {n} the name, {They}, {they},
 * {their} pronouns.
 */
type Lines = readonly (readonly [first: string, third: string])[]

const OPENINGS: Lines = [
  [
    'I have been {a} {p} for {y} years, most of them in and around {l}.',
    '{n} has been {a} {p} for {y} years, most of them in and around {l}.',
  ],
  [
    'I look after people in {l} as {a} {p}, with a particular interest in {t1} and {t2}.',
    '{n} looks after people in {l} as {a} {p}, with a particular interest in {t1} and {t2}.',
  ],
  [
    'After {y} years as {a} {p} I still enjoy the first ten minutes most: hearing what brought you here.',
    '{n} has worked as {a} {p} for {y} years and still thinks the first ten minutes matter most.',
  ],
  [
    'My work as {a} {p} is mostly about {t1}, and about making it easier to live with.',
    'Most of {n}’s work as {a} {p} is about {t1}, and about making it easier to live with.',
  ],
  [
    'I trained in larger teaching hospitals and came to {l} to know my patients for longer.',
    '{n} trained in larger teaching hospitals and came to {l} to know patients for longer.',
  ],
  [
    'People usually come to me about {t1} or {t2}, and often with both.',
    'People usually come to {n} about {t1} or {t2}, and often with both.',
  ],
  [
    'I am {a} {p} in {l}, and the third in my family to work in health care.',
    '{n} is {a} {p} in {l}, and the third in the family to work in health care.',
  ],
  [
    'I became {a} {p} because I like problems that need listening as much as tests.',
    '{n} became {a} {p} out of a liking for problems that need listening as much as tests.',
  ],
  [
    'I have practised in {l} for most of my {y} years as {a} {p}.',
    '{n} has practised in {l} for most of {their} {y} years as {a} {p}.',
  ],
  [
    'I see new and returning patients in {l}, and I am always glad of a difficult question.',
    '{n} sees new and returning patients in {l}, and is always glad of a difficult question.',
  ],
  [
    'For {y} years I have worked as {a} {p}, in busy hospitals first and now in a small team.',
    'For {y} years {n} has worked as {a} {p}, in busy hospitals first and now in a small team.',
  ],
]

const FOCUS: Lines = [
  ['I have a special interest in {t1} and {t2}.', '{They} a special interest in {t1} and {t2}.'],
  [
    'A good part of my week goes to {t1}, and I also see a lot of {t2}.',
    'A good part of {their} week goes to {t1}, and to {t2}.',
  ],
  [
    'I am happy to see any question in my field, especially {t1} and {t2}.',
    'Any question in the field is welcome, especially {t1} and {t2}.',
  ],
  ['I run a regular clinic for {t1}.', 'There is a regular clinic for {t1}.'],
  [
    'Much of what I do concerns {t1}, {t2} and {t3}.',
    'Much of the work concerns {t1}, {t2} and {t3}.',
  ],
  [
    'I keep time each week for {t1}, which is often rushed elsewhere.',
    'Time is kept each week for {t1}, which is often rushed elsewhere.',
  ],
]

const APPROACH: Lines = [
  [
    'I explain what I think and why, in plain words, and write it down for you.',
    'Explanations come in plain words, and are written down for you to take home.',
  ],
  [
    'I would rather spend five more minutes than leave you with a question.',
    'Five more minutes are better spent than a question left open.',
  ],
  [
    'I draw a lot of diagrams; patients tell me they help.',
    'Expect a diagram or two; patients say they help.',
  ],
  [
    'We decide together what to do next, including when doing nothing is the best choice.',
    'Decisions are made together, including when doing nothing is the best choice.',
  ],
  [
    'I only order a test when its answer would change what we do.',
    'A test is ordered only when its answer would change what happens next.',
  ],
  [
    'You will not be hurried, and you are welcome to bring somebody along.',
    'Nobody is hurried, and you are welcome to bring somebody along.',
  ],
  [
    'I tell people honestly what treatment can do, and what it cannot.',
    'You will hear honestly what treatment can do, and what it cannot.',
  ],
  [
    'Bring your list of questions: we will go through all of it.',
    'Bring your list of questions: all of it will be answered.',
  ],
  [
    'I like to start with the simplest thing that could work.',
    'The plan starts with the simplest thing that could work.',
  ],
  [
    'If I am not the right person for your problem, I will say so and help you find who is.',
    'If somebody else is better placed to help, you will be told, and helped to find them.',
  ],
]

const CHILD_APPROACH: Lines = [
  [
    'Children get to look at everything first, and nothing happens without a warning.',
    'Children get to look at everything first, and nothing happens without a warning.',
  ],
  [
    'I talk to the child first and to the grown-ups second.',
    'The child is spoken to first, the grown-ups second.',
  ],
  ['There are toys, patience and no white coat.', 'There are toys, patience and no white coat.'],
]

const PRACTICAL: Lines = [
  ['You will get a letter the same day.', 'You will get a letter the same day.'],
  [
    'Blood tests can be done on site, and results come within two days.',
    'Blood tests can be done on site, and results come within two days.',
  ],
  [
    'The practice is step-free, with a lift and parking close by.',
    'The practice is step-free, with a lift and parking close by.',
  ],
  [
    'We keep a few times each day for people who cannot wait.',
    'A few times are kept each day for people who cannot wait.',
  ],
  [
    'Early and late times are there for people who work.',
    'Early and late times are there for people who work.',
  ],
  [
    'Please bring your medicines, or a photo of the labels.',
    'Please bring your medicines, or a photo of the labels.',
  ],
  [
    'Longer visits can be arranged if you need an interpreter.',
    'Longer visits can be arranged if you need an interpreter.',
  ],
  [
    'The waiting room is quiet, and there is usually no wait.',
    'The waiting room is quiet, and there is usually no wait.',
  ],
  [
    'I answer questions after the visit by message, within two working days.',
    'Questions after the visit are answered by message, within two working days.',
  ],
]

const VIDEO: Lines = [
  [
    'Follow-up visits work well by video, if that is easier for you.',
    'Follow-up visits work well by video, if that is easier for you.',
  ],
  [
    'I also see people by video when an examination is not needed.',
    'Video visits are possible when an examination is not needed.',
  ],
  [
    'If travel is hard, we can begin by video.',
    'If travel is hard, a first talk by video is possible.',
  ],
]

const PERSONAL: Lines = [
  [
    'Away from work I grow more tomatoes than my neighbours can eat.',
    'Away from work {they} most likely to be found in the garden.',
  ],
  [
    'I teach students one day a week and learn from them the rest.',
    'One day a week is for teaching students.',
  ],
  ['I sing, not very well, in a local choir.', 'Thursday evenings belong to a local choir.'],
  ['At weekends I am usually on a bicycle.', 'Weekends are usually spent on a bicycle.'],
  ['I volunteer at a free clinic twice a month.', 'Twice a month {they} at work in a free clinic.'],
  ['I have two children and a very old dog.', 'At home there are two children and a very old dog.'],
]

const PRONOUNS = {
  female: { have: 'She has', are: 'she is', their: 'her' },
  male: { have: 'He has', are: 'he is', their: 'his' },
  non_binary: { have: 'They have', are: 'they are', their: 'their' },
} as const

function fill(line: string, subject: Subject): string {
  const [t1 = '', t2 = '', t3 = ''] = subject.topics
  const pronouns = PRONOUNS[subject.gender]
  const article = /^[aeiou]/i.test(subject.profession) ? 'an' : 'a'
  return line
    .replace('{They}', pronouns.have)
    .replace('{they}', pronouns.are)
    .replaceAll('{their}', pronouns.their)
    .replaceAll('{n}', subject.called)
    .replaceAll('{a}', article)
    .replaceAll('{p}', subject.profession)
    .replaceAll('{l}', subject.locality)
    .replaceAll('{y}', String(subject.years))
    .replaceAll('{t1}', t1)
    .replaceAll('{t2}', t2)
    .replaceAll('{t3}', t3)
}

/** Three to five sentences about a provider, in the first person or the third. */
export function writeAbout(random: Random, subject: Subject): string {
  const person = random.chance(0.6) ? 0 : 1
  const opening = random.pick(OPENINGS)
  const mentionsTopics = opening[0].includes('{t1}')
  const approach = subject.isForChildren && random.chance(0.7) ? CHILD_APPROACH : APPROACH
  const rest = [random.pick(approach)]
  if (!mentionsTopics) rest.push(random.pick(FOCUS))
  else if (random.chance(0.4)) rest.push(random.pick(APPROACH))
  rest.push(random.pick(subject.offersVideo && random.chance(0.5) ? VIDEO : PRACTICAL))
  const ordered = shuffled(random, [...new Set(rest)])
  if (random.chance(0.35)) ordered.push(random.pick(PERSONAL))
  while (ordered.length < 2) ordered.push(random.pick(PRACTICAL))
  const lines = [opening, ...ordered.slice(0, 4)]
  return localSpelling(lines.map((line) => fill(line[person], subject)).join(' '), subject.region)
}

import type { Region } from '#contract/base/region.ts'

/** What the demo needs to know of a specialty beyond its name. */
export type SpecialtyFacts = {
  /** Relative number of providers. */
  weight: Record<Region, number>
  /** Typical first visit in whole pounds and dollars. */
  fee: Record<Region, number>
  /** Usual consultation lengths, most usual first. */
  minutes: readonly number[]
  /** Addressed as Mr, Miss or Ms in the UK. */
  isSurgeon?: boolean
  /** Post-nominal letters in the UK, in place of a physician's. */
  letters: string
  /** Certifying board in the USA. */
  board: string
  /** Reasons to see them, phrased to follow "especially". */
  topics: readonly string[]
}

type Money = readonly [weightUk: number, weightUsa: number, feeUk: number, feeUsa: number]

function facts(
  [weightUk, weightUsa, feeUk, feeUsa]: Money,
  training: Pick<SpecialtyFacts, 'minutes' | 'letters' | 'board' | 'isSurgeon'>,
  topics: string,
): SpecialtyFacts {
  return {
    weight: { uk: weightUk, usa: weightUsa },
    fee: { uk: feeUk, usa: feeUsa },
    ...training,
    topics: topics.split('; '),
  }
}

const physician = (board: string, minutes: readonly number[] = [30, 40, 45]) => ({
  letters: 'MRCP (UK)',
  board: `American Board of ${board}`,
  minutes,
})

const surgeon = (letters: string, board: string) => ({
  letters,
  board: `American Board of ${board}`,
  minutes: [20, 30, 30],
  isSurgeon: true,
})

const dentist = (letters: string, board: string, minutes: readonly number[] = [30, 30, 45]) => ({
  letters,
  board,
  minutes,
})

const INTERNAL = 'Internal Medicine'

/** By slug from db/reference/specialties.ts. */
export const SPECIALTY_FACTS: Record<string, SpecialtyFacts> = {
  gp: facts(
    [420, 330, 85, 145],
    { letters: 'MRCGP', board: 'American Board of Family Medicine', minutes: [15, 20, 15, 30] },
    'women’s health; long-term conditions such as asthma and diabetes; children and young families; mental health; skin problems; travel advice; joint and muscle pain; health checks',
  ),
  dentist: facts(
    [360, 310, 65, 120],
    dentist('MFDS RCS', '', [30, 20, 30, 45]),
    'anxious patients; tooth wear; white fillings and crowns; gum care; broken teeth; children’s teeth; root canal treatment',
  ),
  paediatrician: facts(
    [80, 150, 190, 165],
    { ...physician('Pediatrics', [30, 20, 30]), letters: 'MRCPCH' },
    'allergies; eczema; feeding and growth; asthma; sleep; tummy pain; development in the early years',
  ),
  dermatologist: facts(
    [85, 85, 210, 215],
    physician('Dermatology', [20, 20, 30]),
    'moles and skin cancer checks; acne; eczema; psoriasis; hair loss; rosacea; skin of colour',
  ),
  gynaecologist: facts(
    [85, 110, 220, 230],
    { ...physician('Obstetrics and Gynecology', [30, 30, 40]), letters: 'MRCOG' },
    'the menopause; heavy or painful periods; contraception; endometriosis; polycystic ovaries; cervical screening results',
  ),
  psychiatrist: facts(
    [90, 110, 320, 310],
    { ...physician('Psychiatry and Neurology', [60, 45, 60]), letters: 'MRCPsych' },
    'anxiety; depression; ADHD in adults; sleep; burnout; bipolar disorder; mental health around birth',
  ),
  cardiologist: facts(
    [60, 70, 240, 285],
    physician(INTERNAL),
    'palpitations; high blood pressure; chest pain; heart failure; inherited heart conditions; prevention',
  ),
  'ear-nose-throat': facts(
    [50, 45, 210, 225],
    surgeon('FRCS (ORL-HNS)', 'Otolaryngology'),
    'sinus trouble; hearing loss; dizziness; tonsils and snoring; voice problems; ear infections in children',
  ),
  ophthalmologist: facts(
    [55, 60, 200, 195],
    surgeon('FRCOphth', 'Ophthalmology'),
    'cataracts; glaucoma; dry eyes; diabetic eye disease; floaters and flashes; squints',
  ),
  'orthopaedic-surgeon': facts(
    [75, 65, 225, 255],
    surgeon('FRCS (Tr & Orth)', 'Orthopaedic Surgery'),
    'knees; hips; shoulders and elbows; hands and wrists; feet and ankles; sports injuries',
  ),
  neurologist: facts(
    [40, 45, 270, 310],
    physician('Psychiatry and Neurology', [40, 45, 60]),
    'migraine; epilepsy; tremor; numbness and nerve pain; memory; multiple sclerosis',
  ),
  gastroenterologist: facts(
    [45, 45, 230, 265],
    physician(INTERNAL),
    'reflux; irritable bowel; Crohn’s and colitis; liver tests; coeliac disease; bowel screening',
  ),
  endocrinologist: facts(
    [35, 40, 230, 255],
    physician(INTERNAL),
    'diabetes; thyroid disease; osteoporosis; pituitary problems; weight; polycystic ovaries',
  ),
  'lung-specialist': facts(
    [30, 35, 225, 250],
    physician(INTERNAL),
    'asthma; a lasting cough; COPD; sleep and breathing; lung scarring; getting fitter with lung disease',
  ),
  rheumatologist: facts(
    [30, 28, 225, 250],
    physician(INTERNAL),
    'rheumatoid arthritis; gout; lupus; back pain that starts young; osteoporosis; aches without a name',
  ),
  urologist: facts(
    [40, 38, 220, 240],
    surgeon('FRCS (Urol)', 'Urology'),
    'prostate checks; kidney stones; bladder problems; urinary infections; men’s health; vasectomy',
  ),
  allergist: facts(
    [22, 32, 220, 210],
    physician('Allergy and Immunology'),
    'hay fever; food allergy; hives; drug allergy; bee and wasp stings; allergic asthma',
  ),
  'kidney-specialist': facts(
    [20, 26, 230, 250],
    physician(INTERNAL),
    'falling kidney function; blood pressure; kidney stones; protein in the urine; kidney disease in diabetes',
  ),
  haematologist: facts(
    [20, 24, 235, 270],
    physician(INTERNAL),
    'iron deficiency; clots; low platelets; sickle cell disease; abnormal blood counts',
  ),
  geriatrician: facts(
    [24, 28, 230, 215],
    physician(INTERNAL, [45, 60, 45]),
    'falls; memory; medicine reviews; frailty; Parkinson’s disease; planning ahead',
  ),
  'sports-doctor': facts(
    [25, 30, 175, 195],
    physician('Family Medicine'),
    'running injuries; tendons; concussion; back pain; return to sport; exercise with a long-term condition',
  ),
  'general-surgeon': facts(
    [35, 40, 210, 230],
    surgeon('FRCS (Gen Surg)', 'Surgery'),
    'hernias; gallstones; lumps and bumps; piles; thyroid surgery; bowel surgery',
  ),
  'plastic-surgeon': facts(
    [26, 26, 210, 240],
    surgeon('FRCS (Plast)', 'Plastic Surgery'),
    'skin lesions; scars; hand surgery; breast reconstruction; eyelids; nerve repair',
  ),
  'vascular-surgeon': facts(
    [18, 20, 215, 240],
    surgeon('FRCS (Vasc)', 'Surgery'),
    'varicose veins; leg ulcers; poor circulation; aneurysm checks; diabetic feet',
  ),
  orthodontist: facts(
    [60, 60, 120, 175],
    dentist('MOrth RCS', 'American Board of Orthodontics', [30, 45, 30]),
    'clear aligners; braces for teenagers; treatment for adults; crowded teeth; teeth that have moved back',
  ),
  'oral-surgeon': facts(
    [30, 32, 180, 215],
    { ...surgeon('MOral Surg RCS', 'Oral and Maxillofacial Surgery'), minutes: [30, 30, 45] },
    'wisdom teeth; dental implants; jaw pain; anxious patients; lumps in the mouth',
  ),
  'childrens-dentist': facts(
    [32, 48, 85, 125],
    dentist('MPaed Dent RCS', 'American Board of Pediatric Dentistry'),
    'first visits; children who are frightened of the dentist; knocked and broken teeth; autistic children; tooth decay',
  ),
  'gum-specialist': facts(
    [22, 26, 170, 195],
    dentist('MClinDent (Perio)', 'American Board of Periodontology', [45, 45, 60]),
    'bleeding gums; receding gums; loose teeth; gum grafts; problems around implants',
  ),
  'internal-medicine': facts(
    [30, 150, 220, 165],
    physician(INTERNAL, [30, 30, 45]),
    'tiredness that has no clear cause; several conditions at once; blood pressure; unexplained symptoms; prevention',
  ),
  'child-psychiatrist': facts(
    [30, 34, 340, 330],
    { ...physician('Psychiatry and Neurology', [60, 60, 45]), letters: 'MRCPsych' },
    'ADHD; autism; worry and low mood; school refusal; eating; tics and OCD',
  ),
}

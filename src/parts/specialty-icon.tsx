import {
  Baby,
  Bone,
  Brain,
  Ear,
  Eye,
  HeartPulse,
  type LucideIcon,
  ScanFace,
  Smile,
  Stethoscope,
  Venus,
  Wind,
} from 'lucide-react'
import { createElement } from 'react'

/** Signs for the specialties people know by a part of the body; the others have the stethoscope. */
const icons = new Map<string, LucideIcon>([
  ['cardiologist', HeartPulse],
  ['vascular-surgeon', HeartPulse],
  ['child-psychiatrist', Brain],
  ['neurologist', Brain],
  ['psychiatrist', Brain],
  ['childrens-dentist', Smile],
  ['dentist', Smile],
  ['gum-specialist', Smile],
  ['oral-surgeon', Smile],
  ['orthodontist', Smile],
  ['dermatologist', ScanFace],
  ['plastic-surgeon', ScanFace],
  ['ear-nose-throat', Ear],
  ['gynaecologist', Venus],
  ['lung-specialist', Wind],
  ['ophthalmologist', Eye],
  ['orthopaedic-surgeon', Bone],
  ['rheumatologist', Bone],
  ['paediatrician', Baby],
])

/** The sign of a specialty on its tinted ground; the name beside it says what it is. */
export function SpecialtyIcon({ slug }: { slug: string }) {
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-field bg-tint text-brand-deep sm:size-11">
      {createElement(icons.get(slug) ?? Stethoscope, {
        'aria-hidden': true,
        className: 'size-5 sm:size-6',
      })}
    </span>
  )
}

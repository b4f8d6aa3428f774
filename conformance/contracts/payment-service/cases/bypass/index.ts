import { section } from '../../section.ts'
import { customer } from './customer.ts'
import { places } from './places.ts'
import { requests } from './requests.ts'
import { trust } from './trust.ts'

export const bypass = {
  ...section('bypass', 'Bypassing verification', ...requests, ...places, trust, ...customer),
  role: 'way-around',
} as const

/* Files of this machine, as sources of local files have to read them. */

export { assertAllowedPlace, isWithin, type AllowedPlaces } from './allowed-places.js';
export { isOpenedAt, openAt, placeAt, realPathOf, statAt, type PlaceAt } from './opened.js';

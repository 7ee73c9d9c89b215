export { patientFetch } from './patient-fetch.js';

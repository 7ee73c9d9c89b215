/** The kinds of objects that others are associated with. */
export type Associated = 'companies' | 'contacts' | 'deals';

/** A kind of object, and what its records are made of. */
export interface HubspotKind {
  readonly name: string;
  /** The number of the kind in addresses of the web interface. */
  readonly number: string;
  /** The property with the time of the last change. */
  readonly modified: string;
  /** The properties that together are the title. */
  readonly title: readonly string[];
  /** The properties with the text. Without any, all fields are the text. */
  readonly text: readonly string[];
  /** The property with the time of the activity. Default: the last change. */
  readonly at?: string;
  /** The property that emails of a conversation share. */
  readonly thread?: string;
  /** The properties that become fields. */
  readonly fields: readonly string[];
  readonly associated: readonly Associated[];
  /** Whether properties have values that are ids, such as the stages of a pipeline. */
  readonly hasLabels?: boolean;
  /** Whether its records have no page of their own. They are shown on those of associated ones. */
  readonly isActivity?: boolean;
}

const activity = {
  modified: 'hs_lastmodifieddate',
  at: 'hs_timestamp',
  associated: ['contacts', 'companies', 'deals'],
  isActivity: true,
} as const;

export const kinds: readonly HubspotKind[] = [
  {
    name: 'contacts',
    number: '0-1',
    modified: 'lastmodifieddate',
    title: ['firstname', 'lastname'],
    text: [],
    fields: [
      'email',
      'firstname',
      'lastname',
      'company',
      'jobtitle',
      'phone',
      'city',
      'country',
      'website',
      'lifecyclestage',
      'hs_lead_status',
      'createdate',
    ],
    associated: ['companies'],
  },
  {
    name: 'companies',
    number: '0-2',
    modified: 'hs_lastmodifieddate',
    title: ['name'],
    text: [],
    fields: [
      'name',
      'domain',
      'industry',
      'description',
      'phone',
      'city',
      'country',
      'numberofemployees',
      'annualrevenue',
      'lifecyclestage',
      'createdate',
    ],
    associated: [],
  },
  {
    name: 'deals',
    number: '0-3',
    modified: 'hs_lastmodifieddate',
    title: ['dealname'],
    text: [],
    fields: [
      'dealname',
      'description',
      'amount',
      'deal_currency_code',
      'pipeline',
      'dealstage',
      'dealtype',
      'closedate',
      'createdate',
    ],
    associated: ['companies', 'contacts'],
    hasLabels: true,
  },
  {
    name: 'tickets',
    number: '0-5',
    modified: 'hs_lastmodifieddate',
    title: ['subject'],
    text: ['content'],
    fields: [
      'hs_pipeline',
      'hs_pipeline_stage',
      'hs_ticket_priority',
      'hs_ticket_category',
      'source_type',
      'createdate',
      'closed_date',
    ],
    associated: ['companies', 'contacts'],
    hasLabels: true,
  },
  { ...activity, name: 'notes', number: '0-46', title: [], text: ['hs_note_body'], fields: [] },
  {
    ...activity,
    name: 'emails',
    number: '0-49',
    title: ['hs_email_subject'],
    text: ['hs_email_text'],
    thread: 'hs_email_thread_id',
    fields: ['hs_email_direction', 'hs_email_status'],
  },
  {
    ...activity,
    name: 'calls',
    number: '0-48',
    title: ['hs_call_title'],
    text: ['hs_call_body'],
    fields: ['hs_call_direction', 'hs_call_duration'],
  },
  {
    ...activity,
    name: 'meetings',
    number: '0-47',
    title: ['hs_meeting_title'],
    text: ['hs_meeting_body', 'hs_internal_meeting_notes'],
    fields: ['hs_meeting_location', 'hs_meeting_outcome', 'hs_meeting_start_time'],
  },
  {
    ...activity,
    name: 'tasks',
    number: '0-27',
    title: ['hs_task_subject'],
    text: ['hs_task_body'],
    fields: ['hs_task_status', 'hs_task_priority', 'hs_task_type'],
  },
];

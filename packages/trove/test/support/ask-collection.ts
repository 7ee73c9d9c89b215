/** The documents of a company, by path. */
export const documents: Readonly<Record<string, string>> = {
  'handbook/tokens.md': `# Access tokens

Access tokens expire after 90 days. A token is rotated with the command \`lock rotate\`, and the old token remains valid
for another 24 hours.

## Lost tokens

If a token is lost, tell the security team at once. They revoke it within an hour.
`,
  'handbook/backups.md': `# Backups

The database is backed up every night at two o'clock. Copies are kept for 35 days in a bucket in Frankfurt.

## Restore

To restore a backup, stop the service first. Then run \`restic restore latest --target /srv/data\` and start the service
again. A full restore takes about forty minutes.
`,
  'handbook/vacation.md': `# Vacation

Every employee has 28 days of paid vacation per year. Requests are approved by the team lead, at least two weeks before
the first day. Unused days may be carried over until the end of March.

Parental leave is arranged with the personnel department. It is granted for up to three years.
`,
  'handbook/travel.md': `# Travel expenses

Train tickets are booked in second class. Flights under 600 kilometres are not refunded. Receipts are handed in
within 30 days.

| country | allowance per day |
| --- | --- |
| Germany | 28 EUR |
| Switzerland | 64 EUR |
| Portugal | 32 EUR |
`,
  'handbook/refunds.md': `# Refunds

Customers may return a lamp within 60 days. Refunds over 500 EUR need the approval of Maria Silva. The money arrives
after three to five working days.

## How is a broken lamp replaced?

The customer sends a photo, and the warehouse ships a new one the same day.
`,
  'engineering/deploy.md': `# Deployment

The service is deployed from the branch \`release\` with \`make ship\`. A deployment needs the review of two engineers.
If the error rate exceeds 2 percent, the deployment is rolled back automatically.

The staging server is rebuilt every Sunday.
`,
  'engineering/incident-2024-03.md': `# Incident of 14 March 2024

The checkout was unavailable for 47 minutes. The cause was an expired certificate of the payment provider. Jonas Weber
renewed the certificate by hand.

As a consequence, an alarm now warns 21 days before a certificate expires.
`,
  'engineering/architecture.md': `# Architecture

Orders are stored in PostgreSQL. The catalogue is cached in Redis for ten minutes. Images of products are served by a
content delivery network.

Events are sent through a queue named \`lumen-events\`. A message that fails five times is moved to the dead letter queue.
`,
  'engineering/retry.ts': `/** Calls a service again after a failure, with growing pauses. */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  const maxAttempts = 4;
  const firstPauseMs = 250;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await pause(firstPauseMs * 2 ** attempt);
    }
  }
}
`,
  'products/lamps.md': `# Lamps

The Aurora lamp has a brightness of 800 lumens and weighs 1.4 kilograms. Its battery lasts 12 hours. The Borealis lamp
is waterproof and has a battery for 20 hours.

All lamps have a warranty of five years. Spare parts are available for ten years.
`,
  'products/history.txt': `The company was founded in Porto in 1998 by Helena Costa and Rui Lopes. It sold candles at
first. The first electric lamp was built in 2003. In 2011, the workshop moved to Braga, where 140 people work today.
`,
  'products/prices.csv': `product,price,stock
Aurora,129 EUR,40
Borealis,189 EUR,12
Candela,49 EUR,300
`,
  'personal/recipes.md': `# Recipes

## Pumpkin soup

Roast the pumpkin for 30 minutes at 200 degrees. Add ginger and coconut milk.

## Rye bread

The dough rests for 18 hours. Bake it at 230 degrees, and keep the oven closed for the first 20 minutes.
`,
  'personal/garden.md': `# Garden

Tomatoes are sown in February and planted after the ice saints in May. Water them in the morning only. Roses are cut back
when the forsythia blooms.
`,
  'notizen/urlaub.md': `# Ferienhaus

Das Ferienhaus liegt an der Ostsee. Der Schlüssel hängt hinter dem Briefkasten. Die Heizung braucht zwei Stunden, bis
die Räume warm sind. Der Vermieter heißt Karl Petersen.
`,
};

export interface AnswerableQuestion {
  readonly question: string;
  readonly path: string;
  /** A text in at least one citation of a correct answer. */
  readonly quote: string;
}

/** A set of questions. The thresholds were chosen with the first set, and the second one measures them. */
export interface QuestionSet {
  readonly answerable: readonly AnswerableQuestion[];
  readonly unanswerable: readonly string[];
}

const answer = (question: string, path: string, quote: string): AnswerableQuestion => ({
  question,
  path,
  quote,
});

export const tuningQuestions: QuestionSet = {
  answerable: [
    answer('When do access tokens expire?', 'handbook/tokens.md', '90 days'),
    answer('How do I rotate a token?', 'handbook/tokens.md', 'lock rotate'),
    answer('How long are copies of the database kept?', 'handbook/backups.md', '35 days'),
    answer('How do I restore a backup?', 'handbook/backups.md', 'restic restore latest'),
    answer(
      'How many days of paid vacation does an employee have?',
      'handbook/vacation.md',
      '28 days',
    ),
    answer('Who approves vacation requests?', 'handbook/vacation.md', 'team lead'),
    answer('What is the allowance for Switzerland?', 'handbook/travel.md', '64 EUR'),
    answer('Are flights refunded?', 'handbook/travel.md', '600 kilometres'),
    answer('Who approves refunds over 500 EUR?', 'handbook/refunds.md', 'Maria Silva'),
    answer('How is a broken lamp replaced?', 'handbook/refunds.md', 'a photo'),
    answer('Which branch is deployed?', 'engineering/deploy.md', 'release'),
    answer(
      'What caused the checkout incident?',
      'engineering/incident-2024-03.md',
      'expired certificate',
    ),
    answer('Who renewed the certificate?', 'engineering/incident-2024-03.md', 'Jonas Weber'),
    answer('Where are orders stored?', 'engineering/architecture.md', 'PostgreSQL'),
    answer(
      'What happens to a message that fails?',
      'engineering/architecture.md',
      'dead letter queue',
    ),
    answer('How bright is the Aurora lamp?', 'products/lamps.md', '800 lumens'),
    answer('Who founded the company?', 'products/history.txt', 'Helena Costa'),
    answer('How long does the dough of the rye bread rest?', 'personal/recipes.md', '18 hours'),
    answer('When are tomatoes planted?', 'personal/garden.md', 'ice saints'),
    answer('Wo hängt der Schlüssel?', 'notizen/urlaub.md', 'Briefkasten'),
  ],
  unanswerable: [
    'What is the capital of Australia?',
    'Who won the football championship?',
    'How do I configure a Kubernetes ingress?',
    'What is the salary of Maria Silva?',
    'How often are passwords changed?',
    'When is the office in Lisbon open?',
    'Which insurance covers travel to Brazil?',
    'How many employees have a company car?',
    'What is the price of the Polaris lamp?',
    'Who reviews the security of the payment provider?',
    'Which database stores customer addresses?',
    'How do I install the printer driver?',
    'What does the Aurora lamp cost in Canada?',
    'When was the Borealis lamp released?',
    'How long does the battery of the laptop last?',
    'Who translates the handbook into Spanish?',
    'What is the phone number of the landlord?',
    'How many calories does pumpkin soup have?',
    'Why did the mail server crash in January?',
    'Wie hoch ist die Miete der Wohnung?',
  ],
};

export const measuredQuestions: QuestionSet = {
  answerable: [
    answer('How long does an old token remain valid?', 'handbook/tokens.md', '24 hours'),
    answer('Whom do I tell about a lost token?', 'handbook/tokens.md', 'security team'),
    answer('When is the database backed up?', 'handbook/backups.md', "two o'clock"),
    answer('How long does a full restore take?', 'handbook/backups.md', 'forty minutes'),
    answer('Until when may unused days be carried over?', 'handbook/vacation.md', 'March'),
    answer('How long is parental leave granted?', 'handbook/vacation.md', 'three years'),
    answer('In which class are train tickets booked?', 'handbook/travel.md', 'second class'),
    answer('What is the daily allowance in Portugal?', 'handbook/travel.md', '32 EUR'),
    answer('Within how many days may customers return a lamp?', 'handbook/refunds.md', '60 days'),
    answer('When does the refunded money arrive?', 'handbook/refunds.md', 'five working days'),
    answer('How many engineers review a deployment?', 'engineering/deploy.md', 'two engineers'),
    answer('When is the staging server rebuilt?', 'engineering/deploy.md', 'Sunday'),
    answer(
      'How long was the checkout unavailable?',
      'engineering/incident-2024-03.md',
      '47 minutes',
    ),
    answer('What is cached in Redis?', 'engineering/architecture.md', 'catalogue'),
    answer('What is the maxAttempts of withRetries?', 'engineering/retry.ts', 'maxAttempts = 4'),
    answer('Which lamp is waterproof?', 'products/lamps.md', 'Borealis'),
    answer('How long is the warranty of the lamps?', 'products/lamps.md', 'five years'),
    answer('When did the workshop move to Braga?', 'products/history.txt', '2011'),
    answer('What does Candela cost?', 'products/prices.csv', '49 EUR'),
    answer('Wie heißt der Vermieter?', 'notizen/urlaub.md', 'Karl Petersen'),
  ],
  unanswerable: [
    'How tall is Mount Everest?',
    'Which programming language is the website written in?',
    'Who is the head of marketing?',
    'How do I reset my password?',
    'What is the speed limit of the company car?',
    'How many vacation days do interns have?',
    'Which bank does Helena Costa use?',
    'When does the canteen serve lunch?',
    'How is the Redis cluster encrypted?',
    'What is the recipe of the apple pie?',
    'Where is the Candela lamp produced?',
    'How large is the warehouse in Hamburg?',
    'Who designed the logo of the company?',
    'How are invoices numbered?',
    'When does the contract of the payment provider end?',
    'Which airline is cheapest for flights to Portugal?',
    'What colour is the Aurora lamp?',
    'How do I prune the apple tree?',
    'How many tickets does the support team close?',
    'Wann öffnet das Schwimmbad?',
  ],
};

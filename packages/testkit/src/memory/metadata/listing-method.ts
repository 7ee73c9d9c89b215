export type ListingMethod = 'compareListing' | 'addTasks' | 'finishListing';

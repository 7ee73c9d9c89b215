/** English words that are not part of a name at the start of a sentence, and name nothing on their own. */
export const functionWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its he his him she her hers they their theirs them we our us you your i my me
  one some any each every all both either neither no none most many much more several few other another such same
  in on at by for from of to with without within into onto over under about above below after before during since until
  while when where whereas wherever whenever why how who whom whose which what if unless although though because as than
  and or nor but so yet not only also however therefore thus hence moreover furthermore meanwhile instead otherwise
  there here then now today once again still just even ever never often sometimes usually generally typically
  is are was were be been being am has have had having do does did done can could may might must shall should will would
  between among against through throughout across along around near despite upon via per like unlike according due
  first second third last later earlier early late recently currently originally initially eventually finally
  additionally similarly subsequently another part see note`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words between two parts of a name: University of the Arts, Charles de Gaulle. */
export const nameConnectors: ReadonlySet<string> = new Set(
  'of the de del della der den des di da do dos du la le les van von zu al bin ibn el y'.split(' '),
);

/** Abbreviations, whose full stop does not end a sentence. */
export const abbreviations: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st sr jr rev gen col lt sgt capt hon gov sen rep pres mt ft no vol vs etc eg ie ca inc ltd co corp bros'.split(
    ' ',
  ),
);

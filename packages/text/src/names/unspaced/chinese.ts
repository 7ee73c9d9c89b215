import { PieceList, type WordPiece } from './piece.js';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const surnames: ReadonlySet<string> = new Set(
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文張劉陳楊趙黃吳孫馬羅鄭謝韓馮鄧許蕭蘇盧蔣賈葉閻鍾陸顧龍萬錢湯賀賴龔',
);
/** Endings of names of organisations and places. */
const endings = [
  '公司',
  '集团',
  '集團',
  '银行',
  '銀行',
  '大学',
  '大學',
  '学院',
  '學院',
  '医院',
  '醫院',
  '研究所',
  '研究院',
  '委员会',
  '委員會',
  '协会',
  '協會',
  '出版社',
  '基金会',
  '法院',
  '机场',
  '車站',
  '车站',
  '博物馆',
  '图书馆',
  '共和国',
  '省',
  '市',
  '县',
  '縣',
  '区',
  '區',
  '镇',
  '州',
  '国',
  '國',
  '岛',
  '島',
  '山',
  '河',
  '江',
  '湖',
  '洲',
  '港',
];
const commonWords: ReadonlySet<string> = new Set(
  `城市 地区 社区 市区 全国 外国 各国 本国 祖国 出国 回国 爱国 建国 我国 他国 两国 王国 帝国 火山 登山 江山 公司 集团 银行 大学 学院
  医院 協會 地區 全國 外國 各國`.split(/\s+/u),
);
/** Characters that write the sounds of foreign names. */
const foreignCharacters =
  '[阿埃艾爱安奥巴邦鲍贝本比彼宾波伯博布查达戴丹德迪蒂丁东杜顿多恩尔法菲费芬弗福富盖冈戈格古哈汉赫亨胡霍基吉加贾杰金卡凯坎康考柯科克肯库奎拉莱兰朗劳勒雷里利莉列林琳卢鲁伦罗洛马玛迈麦曼梅门蒙米明莫默姆穆纳娜内尼宁纽努诺欧帕潘佩彭皮平普奇契乔切琼丘让瑞萨塞桑森沙舍圣施什史丝司斯松苏索塔泰坦汤唐特滕提廷图托瓦万威韦维魏温文沃乌伍西希夏肖谢辛休许雪雅亚扬耶叶伊因英尤约泽扎詹珍朱兹佐]';
const transliteration = new RegExp(`^${foreignCharacters}{3,}$`, 'u');
/** The parts of a foreign name around its middle dot. */
const beforeDot = new RegExp(`${foreignCharacters}{2,8}$`, 'u');
const afterDot = new RegExp(`^${foreignCharacters}{2,8}`, 'u');
const functionWords =
  /^(?:的|了|在|是|和|与|及|或|由|于|从|到|向|对|把|被|将|为|以|用|让|给|跟|同|而|但|也|都|就|又|还|很|不|没|有|个|这|那|他|她|它|我|你|们|之|等|其|所|并|来|去|上|下|中|里|年|月|日|会|要|能|可|过|着|吗|呢|吧|啊|说|后|前|时|人|一|二|三|两|大|小|多|少|新|老|曾|曾经|已经|因为|所以|如果|以及|一个|位于|出生|成立|创立|创办|收购|担任)$/u;

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Splits a run of Chinese. Names are people with a frequent surname, words with the ending of a place or an
 * organisation, and foreign names. `isAfterDot` and `isBeforeDot`: the run continues a name with a middle dot.
 */
export function splitChinese(
  run: string,
  { isAfterDot, isBeforeDot }: { readonly isAfterDot: boolean; readonly isBeforeDot: boolean },
): WordPiece[] {
  const pieces = new PieceList();
  const start = isAfterDot ? (afterDot.exec(run)?.[0].length ?? 0) : 0;
  const rest = run.slice(start);
  const end = start + (isBeforeDot ? (beforeDot.exec(rest)?.index ?? rest.length) : rest.length);
  pieces.add(0, start, true);
  addSegments(run.slice(start, end), start, pieces);
  pieces.add(end, run.length, true);
  return pieces.items;
}

function addSegments(text: string, from: number, pieces: PieceList): void {
  const segments = Array.from(segmenter.segment(text), ({ segment, index }): Segment => ({
    from: from + index,
    to: from + index + segment.length,
    text: segment,
  }));
  for (let at = 0; at < segments.length;) {
    const length = nameLength(segments, at);
    const [first, last] = [segments[at], segments[at + Math.max(length, 1) - 1]];
    pieces.add(first?.from ?? 0, last?.to ?? 0, length > 0);
    at += Math.max(length, 1);
  }
}

/** Returns the number of segments of the name that begins here, or 0. */
function nameLength(segments: readonly Segment[], at: number): number {
  const word = segments[at]?.text ?? '';
  const next = segments[at + 1]?.text ?? '';
  if (functionWords.test(word)) return 0;
  if (hasEnding(next) && next.length <= 3 && word.length > 1 && !commonWords.has(word)) return 2;
  if (surnames.has(word)) return personLength(segments, at);
  const isPlace = word.length > 1 && hasEnding(word) && !commonWords.has(word);
  return isPlace || transliteration.test(word) || isPerson(word) ? 1 : 0;
}

/** Returns the segments of a surname with the given name that follows it. */
function personLength(segments: readonly Segment[], at: number): number {
  const first = segments[at + 1]?.text ?? '';
  if (first === '' || functionWords.test(first) || hasEnding(first)) return 0;
  if (first.length === 2) return 2;
  if (first.length > 2) return 0;
  const second = segments[at + 2]?.text ?? '';
  const isTriple = second.length === 1 && !functionWords.test(second) && !hasEnding(second);
  return isTriple ? 3 : 2;
}

/** Tests for a name that the segmenter knows as one word. */
function isPerson(word: string): boolean {
  return word.length === 3 && surnames.has(word.charAt(0)) && !hasEnding(word);
}

function hasEnding(word: string): boolean {
  return endings.some((ending) => word.endsWith(ending));
}

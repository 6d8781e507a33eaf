import { Migration001Shop } from './migrations/Migration001Shop.ts'
import { Migration002Admin } from './migrations/Migration002Admin.ts'
import { Migration003Payments } from './migrations/Migration003Payments.ts'
import { Migration004Partners } from './migrations/Migration004Partners.ts'
import { Migration005Events } from './migrations/Migration005Events.ts'
import { Migration006Webhooks } from './migrations/Migration006Webhooks.ts'
import { Migration007Mail } from './migrations/Migration007Mail.ts'
import { Migration008Addresses } from './migrations/Migration008Addresses.ts'
import { Migration009Catalogue } from './migrations/Migration009Catalogue.ts'
import { Migration010Holds } from './migrations/Migration010Holds.ts'
import { Migration011SecondFactor } from './migrations/Migration011SecondFactor.ts'
import { Migration012Incidents } from './migrations/Migration012Incidents.ts'
import { Migration013Search } from './migrations/Migration013Search.ts'
import { Migration016Finding } from './migrations/Migration016Finding.ts'
import { Migration017Facets } from './migrations/Migration017Facets.ts'
import { Migration018Facts } from './migrations/Migration018Facts.ts'
import { Migration019Colours } from './migrations/Migration019Colours.ts'
import { Migration020Codes } from './migrations/Migration020Codes.ts'
import { Migration023Groups } from './migrations/Migration023Groups.ts'
import { Migration025Substitutes } from './migrations/Migration025Substitutes.ts'
import { Migration030Newsletter } from './migrations/Migration030Newsletter.ts'
import { Migration031Pages } from './migrations/Migration031Pages.ts'
import { Migration032Changes } from './migrations/Migration032Changes.ts'
import { Migration033Bells } from './migrations/Migration033Bells.ts'
import { Migration034Knitters } from './migrations/Migration034Knitters.ts'
import { Migration035BellsOfLots } from './migrations/Migration035BellsOfLots.ts'
import { Migration036GuestOrders } from './migrations/Migration036GuestOrders.ts'
import { Migration037ProductPictures } from './migrations/Migration037ProductPictures.ts'
import { Migration038Fulfilments } from './migrations/Migration038Fulfilments.ts'
import { Migration039TimeZones } from './migrations/Migration039TimeZones.ts'
import { Migration040Stash } from './migrations/Migration040Stash.ts'
import { Migration042Lots } from './migrations/Migration042Lots.ts'
import { Migration043Sales } from './migrations/Migration043Sales.ts'
import { Migration044Vocabulary } from './migrations/Migration044Vocabulary.ts'
import { Migration046AddressBook } from './migrations/Migration046AddressBook.ts'
import { Migration047BulkAnswers } from './migrations/Migration047BulkAnswers.ts'
import { Migration048ReviewPictures } from './migrations/Migration048ReviewPictures.ts'
import { Migration049Scopes } from './migrations/Migration049Scopes.ts'
import { Migration050KeysEnd } from './migrations/Migration050KeysEnd.ts'
import { Migration051LotsInParcels } from './migrations/Migration051LotsInParcels.ts'
import { Migration052KitsByTheMetre } from './migrations/Migration052KitsByTheMetre.ts'
import { Migration056Annotations } from './migrations/Migration056Annotations.ts'
import { Migration057Carts } from './migrations/Migration057Carts.ts'
import { Migration059AgentCheckouts } from './migrations/Migration059AgentCheckouts.ts'
import { Migration060StockTold } from './migrations/Migration060StockTold.ts'
import { Migration061DeletedAccounts } from './migrations/Migration061DeletedAccounts.ts'
import { Migration062KeyUses } from './migrations/Migration062KeyUses.ts'
import { Migration063Identities } from './migrations/Migration063Identities.ts'
import { Migration064Returns } from './migrations/Migration064Returns.ts'
import { Migration065Exports } from './migrations/Migration065Exports.ts'
import { Migration066EventsInOrder } from './migrations/Migration066EventsInOrder.ts'
import { Migration067Orders } from './migrations/Migration067Orders.ts'
import { Migration068Downloads } from './migrations/Migration068Downloads.ts'
import { Migration069WebhookFilters } from './migrations/Migration069WebhookFilters.ts'
import { Migration070Passwords } from './migrations/Migration070Passwords.ts'
import { Migration071Documents } from './migrations/Migration071Documents.ts'
import { Migration073Versions } from './migrations/Migration073Versions.ts'
import { Migration074Sales } from './migrations/Migration074Sales.ts'
import { Migration075Tallies } from './migrations/Migration075Tallies.ts'
import { Migration076ReviewSearch } from './migrations/Migration076ReviewSearch.ts'
import { Migration077Cancelled } from './migrations/Migration077Cancelled.ts'
import { Migration078ProductSales } from './migrations/Migration078ProductSales.ts'
import { Migration079RefundsLookedAt } from './migrations/Migration079RefundsLookedAt.ts'
import { Migration080ExportParts } from './migrations/Migration080ExportParts.ts'
import { Migration081NameOrder } from './migrations/Migration081NameOrder.ts'
import { Migration082Indexes } from './migrations/Migration082Indexes.ts'
import { Migration083DueMails } from './migrations/Migration083DueMails.ts'
import { Migration084SalesDays } from './migrations/Migration084SalesDays.ts'
import { Migration085SoldEqually } from './migrations/Migration085SoldEqually.ts'
import { Migration086Renamed } from './migrations/Migration086Renamed.ts'
import { Migration087VocabularyChanges } from './migrations/Migration087VocabularyChanges.ts'
import { Migration088Changed } from './migrations/Migration088Changed.ts'
import { Migration089Lookups } from './migrations/Migration089Lookups.ts'
import { Migration090CodeTallies } from './migrations/Migration090CodeTallies.ts'
import { Migration091OfAccounts } from './migrations/Migration091OfAccounts.ts'
import { Migration092Unfinished } from './migrations/Migration092Unfinished.ts'
import { Migration093FewerIndexes } from './migrations/Migration093FewerIndexes.ts'
import { Migration094Documents } from './migrations/Migration094Documents.ts'
import { Migration095Currency } from './migrations/Migration095Currency.ts'
import { Migration096IncludedTax } from './migrations/Migration096IncludedTax.ts'
import { Migration097TaxRate } from './migrations/Migration097TaxRate.ts'
import { Migration098NewsletterList } from './migrations/Migration098NewsletterList.ts'
import { Migration099CustomerNote } from './migrations/Migration099CustomerNote.ts'
import { Migration100PaidAt } from './migrations/Migration100PaidAt.ts'
import { Migration101ToPickUp } from './migrations/Migration101ToPickUp.ts'
import { Migration102LimitedAdministrators } from './migrations/Migration102LimitedAdministrators.ts'
import { Migration103PreOrders } from './migrations/Migration103PreOrders.ts'
import { Migration104FetchedPictures } from './migrations/Migration104FetchedPictures.ts'
import { Migration105ImportedPictures } from './migrations/Migration105ImportedPictures.ts'
import { Migration106Collections } from './migrations/Migration106Collections.ts'
import { Migration107Announcements } from './migrations/Migration107Announcements.ts'
import { Migration108OwnPayments } from './migrations/Migration108OwnPayments.ts'
import { Migration109Downloads } from './migrations/Migration109Downloads.ts'
import { Migration110DownloadsAlone } from './migrations/Migration110DownloadsAlone.ts'
import { Migration111Patterns } from './migrations/Migration111Patterns.ts'
import { Migration112GiftCards } from './migrations/Migration112GiftCards.ts'
import { Migration113SoldGiftCards } from './migrations/Migration113SoldGiftCards.ts'
import { Migration114TaxReport } from './migrations/Migration114TaxReport.ts'
import { Migration115ReducedTax } from './migrations/Migration115ReducedTax.ts'
import { Migration116SentGiftCards } from './migrations/Migration116SentGiftCards.ts'
import { Migration117UnpaidParts } from './migrations/Migration117UnpaidParts.ts'

/** In the order in which they came to be, which is not quite that of their numbers. */
export const MIGRATIONS = Object.entries({
  Migration001Shop,
  Migration002Admin,
  Migration003Payments,
  Migration004Partners,
  Migration005Events,
  Migration006Webhooks,
  Migration007Mail,
  Migration008Addresses,
  Migration009Catalogue,
  Migration010Holds,
  Migration011SecondFactor,
  Migration012Incidents,
  Migration013Search,
  Migration016Finding,
  Migration017Facets,
  Migration018Facts,
  Migration019Colours,
  Migration020Codes,
  Migration023Groups,
  Migration025Substitutes,
  Migration030Newsletter,
  Migration031Pages,
  Migration032Changes,
  Migration033Bells,
  Migration034Knitters,
  Migration035BellsOfLots,
  Migration036GuestOrders,
  Migration037ProductPictures,
  Migration038Fulfilments,
  Migration039TimeZones,
  Migration040Stash,
  Migration042Lots,
  Migration043Sales,
  Migration044Vocabulary,
  Migration046AddressBook,
  Migration047BulkAnswers,
  Migration048ReviewPictures,
  Migration049Scopes,
  Migration050KeysEnd,
  Migration051LotsInParcels,
  Migration052KitsByTheMetre,
  Migration056Annotations,
  Migration057Carts,
  Migration059AgentCheckouts,
  Migration061DeletedAccounts,
  Migration062KeyUses,
  Migration067Orders,
  Migration064Returns,
  Migration065Exports,
  Migration066EventsInOrder,
  Migration060StockTold,
  Migration068Downloads,
  Migration069WebhookFilters,
  Migration063Identities,
  Migration070Passwords,
  Migration071Documents,
  Migration073Versions,
  Migration080ExportParts,
  Migration081NameOrder,
  Migration082Indexes,
  Migration074Sales,
  Migration075Tallies,
  Migration079RefundsLookedAt,
  Migration076ReviewSearch,
  Migration077Cancelled,
  Migration078ProductSales,
  Migration083DueMails,
  Migration084SalesDays,
  Migration085SoldEqually,
  Migration086Renamed,
  Migration087VocabularyChanges,
  Migration088Changed,
  Migration089Lookups,
  Migration090CodeTallies,
  Migration091OfAccounts,
  Migration092Unfinished,
  Migration093FewerIndexes,
  Migration094Documents,
  Migration095Currency,
  Migration096IncludedTax,
  Migration097TaxRate,
  Migration098NewsletterList,
  Migration099CustomerNote,
  Migration100PaidAt,
  Migration101ToPickUp,
  Migration102LimitedAdministrators,
  Migration103PreOrders,
  Migration104FetchedPictures,
  Migration105ImportedPictures,
  Migration106Collections,
  Migration107Announcements,
  Migration108OwnPayments,
  Migration109Downloads,
  Migration110DownloadsAlone,
  Migration111Patterns,
  Migration112GiftCards,
  Migration113SoldGiftCards,
  Migration114TaxReport,
  Migration115ReducedTax,
  Migration116SentGiftCards,
  Migration117UnpaidParts,
}).map(([name, migration]) => ({ name, class: migration }))

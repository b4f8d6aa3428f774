import 'reflect-metadata'
import { Controller, Get, Module, Query } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { database, WebhooksModule } from './receiver.js'

const effectsOf = database.prepare(`SELECT event, effect, amount, currency, live FROM effect
  WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)

@Controller('observe')
class ObserveController {
  @Get()
  effects(@Query('payment_id') paymentId: unknown) {
    const effects = effectsOf.all(String(paymentId))
    return { effects: effects.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })) }
  }
}

@Module({
  imports: [WebhooksModule],
  controllers: process.env.OBSERVE === '1' ? [ObserveController] : [],
})
class AppModule {}

// Nest's own body parser runs before the middleware of every module.
const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ['error', 'warn'] })
await app.listen(process.env.PORT ?? 3000)

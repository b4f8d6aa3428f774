# Shows the effects of a payment to `hookproof check`.
class ObservationsController < ActionController::API
  def index
    effects = WebhooksController::Effect.where(payment_id: params[:payment_id]).where.not(effect: 'anomaly').order(:id)
    names = %w[event effect amount currency]
    render json: { effects: effects.map { |effect| effect.slice(*names).merge(livemode: effect.live) } }
  end
end
